import {
  anything,
  dateTime,
  defineAdditional,
  flag,
  integer,
  labels,
  mapOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { parse } from 'yaml';
import { z } from 'zod';
import { callJson, dropMissing, isMap, mapIn, mapsIn, textIn } from '../base/callJson.ts';
import { agentWith } from '../base/example.ts';
import { type JsonSchemaMap, objectSchema, type ToolSource, toolName, toolPlace } from '../base/tool.ts';

const properties = () =>
  z.object({
    description: text()
      .optional()
      .describe('What the flow does, for the model; the description of the flow when absent.'),
    namespace: text().optional().describe('The namespace of the flow.'),
    flowId: text().optional().describe('The id of the flow.'),
    revision: integer({ min: 1 }).optional().describe('The revision; the newest when absent.'),
    inputs: mapOf(anything()).optional().describe('Inputs of the execution.'),
    labels: labels().optional().describe('Labels of the execution.'),
    inheritLabels: flag().default(false).describe('Give the execution the labels of the running one.'),
    scheduleDate: dateTime().optional().describe('When the execution starts; at once when absent.'),
    kestraUrl: text()
      .optional()
      .describe('The address of another server that has the flow; this server when absent.'),
    auth: part({
      apiToken: text().optional().describe('A token of the other server.'),
      username: text().optional().describe('A user of the other server.'),
      password: text().optional().describe('The password of the user.'),
      auto: flag().default(true).describe('Accepted for compatibility.'),
    })
      .optional()
      .describe('How to sign in to the other server.'),
    tenantId: text().optional().describe('The tenant on the other server.'),
  });

type Input = z.infer<ReturnType<typeof properties>>;
type Auth = Partial<NonNullable<Input['auth']>>;

export const kestraFlow = defineAdditional({
  place: toolPlace,
  type: 'ai.tool.KestraFlow',
  title: 'Let the model start a flow',
  description: `The model starts an execution and gets its id; it does not wait for the end. With \`namespace\` and \`flowId\` it may
start this flow only, and knows its inputs; without them it may start any flow that the namespace of the running flow may
use. Inputs that the model gives replace those of \`inputs\`.`,
  input: properties,
  examples: [
    agentWith(
      'starts_a_flow',
      'Load the orders of 2026-01-31.',
      `- type: ai.tool.KestraFlow
  namespace: company.team
  flowId: load_orders
  description: Loads the orders of one day. The input "day" is a date.`,
    ),
  ],
  create: (context, input) => openTool(context, input),
});

async function openTool(context: TaskContext, input: Input): Promise<ToolSource> {
  const { namespace, flowId } = input;
  if (namespace === undefined || flowId === undefined) return { tools: [anyFlowTool(context, input)] };
  const flow = await readFlow(context, input, namespace, flowId);
  const description = input.description ?? textIn(flow.description);
  if (description === '')
    throw new TaskFailed(
      `The flow ${namespace}.${flowId} has no description; give the tool one, so that the model knows when to use it.`,
      { retry: false },
    );
  return {
    tools: [
      {
        name: toolName('kestra_flow', namespace, flowId),
        description: `Starts the flow ${flowId}. ${description}`,
        inputSchema: schemaOfInputs(mapsIn(flow.inputs), input.inputs ?? {}),
        execute: (given) => start(context, input, namespace, flowId, given),
      },
    ],
  };
}

const anyFlowTool = (context: TaskContext, input: Input) => ({
  name: 'kestra_flow',
  description: input.description ?? 'Starts an execution of a flow.',
  inputSchema: objectSchema(
    {
      namespace: { type: 'string', description: 'The namespace of the flow.' },
      flowId: { type: 'string', description: 'The id of the flow.' },
      inputs: { type: 'object', description: 'The inputs of the flow.' },
    },
    ['namespace', 'flowId'],
  ),
  execute: (given: Readonly<Record<string, unknown>>) =>
    start(
      context,
      input,
      input.namespace ?? textIn(given.namespace),
      input.flowId ?? textIn(given.flowId),
      mapIn(given.inputs),
    ),
});

async function start(
  context: TaskContext,
  input: Input,
  namespace: string,
  id: string,
  given: Readonly<Record<string, unknown>>,
): Promise<string> {
  const request = {
    namespace,
    id,
    inputs: { ...input.inputs, ...given },
    labels: await labelsOf(context, input),
    ...(input.revision !== undefined && { revision: input.revision }),
    ...(input.scheduleDate !== undefined && { scheduleDate: input.scheduleDate }),
  };
  const execution = input.kestraUrl
    ? await startElsewhere(context, input, request)
    : await context.flows.start(request);
  return JSON.stringify({ executionId: execution.id, state: execution.state, link: execution.link });
}

interface Request {
  readonly namespace: string;
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly labels: readonly { readonly key: string; readonly value: string }[];
  readonly revision?: number;
  readonly scheduleDate?: string;
}

async function startElsewhere(context: TaskContext, input: Input, request: Request) {
  const form = new FormData();
  for (const [name, value] of Object.entries(request.inputs))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const query = new URLSearchParams(
    dropMissing({ revision: request.revision, scheduleDate: request.scheduleDate }) as Record<string, string>,
  );
  for (const { key, value } of request.labels) query.append('labels', `${key}:${value}`);
  const path = `executions/${encodeURIComponent(request.namespace)}/${encodeURIComponent(request.id)}`;
  const { body } = await callJson(context, {
    service: 'The server',
    url: `${apiOf(context, input)}/${path}?${query}`,
    headers: credentials(context, input.auth),
    body: form,
  });
  const link = textIn(body.url);
  return { id: textIn(body.id), state: textIn(mapIn(body.state).current), ...(link && { link }) };
}

const apiOf = (context: TaskContext, { kestraUrl = '', tenantId }: Input): string =>
  `${kestraUrl.replace(/\/+$/, '')}/api/v1/${encodeURIComponent(tenantId ?? context.run.tenantId)}`;

function credentials(context: TaskContext, auth: Auth = {}): Record<string, string> {
  const { apiToken, username, password = '' } = auth;
  for (const secret of [apiToken, password]) if (secret) context.masker.add(secret);
  if (apiToken) return { authorization: `Bearer ${apiToken}` };
  if (!username) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

async function readFlow(context: TaskContext, input: Input, namespace: string, id: string) {
  if (input.kestraUrl === undefined) {
    const found = await context.flows.find(namespace, id);
    if (!found) throw new TaskFailed(`There is no flow ${namespace}.${id}.`, { retry: false });
    return mapIn(parse(found.source));
  }
  const path = `flows/${encodeURIComponent(namespace)}/${encodeURIComponent(id)}`;
  const { body } = await callJson(context, {
    service: 'The server',
    url: `${apiOf(context, input)}/${path}`,
    headers: credentials(context, input.auth),
  });
  return body;
}

const jsonTypes: Readonly<Record<string, JsonSchemaMap>> = {
  INT: { type: 'integer' },
  FLOAT: { type: 'number' },
  BOOL: { type: 'boolean' },
  BOOLEAN: { type: 'boolean' },
  JSON: {},
  ARRAY: { type: 'array', items: {} },
  MULTISELECT: { type: 'array', items: { type: 'string' } },
};

/** The inputs that the model may provide. An input that already has a value is optional. */
function schemaOfInputs(
  inputs: readonly Readonly<Record<string, unknown>>[],
  given: Readonly<Record<string, unknown>>,
): JsonSchemaMap {
  const properties: NonNullable<JsonSchemaMap['properties']> = {};
  const required: string[] = [];
  for (const input of inputs) {
    const id = textIn(input.id);
    const type = textIn(input.type);
    if (type === 'FILE' || type === 'SECRET') continue;
    const values = Array.isArray(input.values) ? input.values.map(String) : undefined;
    const description = [input.displayName, input.description, formatOf(type)]
      .filter((word) => typeof word === 'string')
      .join('. ');
    properties[id] = {
      ...(jsonTypes[type] ?? { type: 'string' }),
      ...(type !== 'MULTISELECT' && values && { enum: values }),
      ...(description !== '' && { description }),
    };
    const isOptional = input.required === false || input.defaults !== undefined || given[id] !== undefined;
    if (!isOptional) required.push(id);
  }
  return objectSchema(properties, required);
}

function formatOf(type: string): string | undefined {
  const formats: Readonly<Record<string, string>> = {
    DATE: 'A date such as 2026-01-31',
    DATETIME: 'A date and time such as 2026-01-31T12:00:00Z',
    TIME: 'A time such as 12:00:00',
    DURATION: 'An ISO 8601 duration such as PT5M',
    URI: 'An address',
    EMAIL: 'A mail address',
    YAML: 'YAML',
  };
  return formats[type];
}

/** The execution's labels: the same correlation id, and the requested labels. */
async function labelsOf(context: TaskContext, input: Input): Promise<{ key: string; value: string }[]> {
  // Reads labels through an expression, because a task's variables are created lazily for expressions.
  const running = flatten(mapIn(JSON.parse(String(await context.render('{{ labels | toJson }}')))));
  const own = input.inheritLabels ? running.filter(({ key }) => !key.startsWith('system.')) : [];
  const correlation = running.filter(({ key }) => key === 'system.correlationId');
  const written = isMap(input.labels)
    ? Object.entries(input.labels).map(([key, value]) => ({ key, value: String(value) }))
    : mapsIn(input.labels).map(({ key, value }) => ({ key: String(key), value: String(value) }));
  return [...new Map([...correlation, ...own, ...written].map((one) => [one.key, one])).values()];
}

const flatten = (map: Readonly<Record<string, unknown>>, prefix = ''): { key: string; value: string }[] =>
  Object.entries(map).flatMap(([key, value]) =>
    isMap(value) ? flatten(value, `${prefix}${key}.`) : [{ key: prefix + key, value: String(value) }],
  );
