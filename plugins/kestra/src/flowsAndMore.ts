import {
  choice,
  defineTask,
  flag,
  integer,
  listOf,
  part,
  TaskFailed,
  text,
  writeTypedRows,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { Api, serverProperties } from './api.ts';

type Item = Readonly<Record<string, unknown>>;

export const listFlows = defineTask({
  type: 'kestra.flows.List',
  title: 'List flows',
  description: 'Lists the flows of a namespace and those below it, or all flows.',
  input: () =>
    z.object({
      ...serverProperties(),
      namespace: text().optional().describe('The namespace; all when absent.'),
    }),
  output: () => z.object({ flows: z.array(z.unknown()).describe('The flows.') }),
  sideEffects: true,
  examples: [
    {
      title: 'List the flows of a namespace.',
      runs: false,
      code: `id: list_flows
namespace: company.team

tasks:
  - id: flows
    type: kestra.flows.List
    namespace: company
`,
    },
  ],
  async run(context, input) {
    const flows: Item[] = [];
    for await (const flow of new Api(context, input).pages<Item>('/flows/search', {
      namespace: input.namespace,
    }))
      flows.push(flow);
    return { flows };
  },
});

const zipOutput = () =>
  z.object({ flowsZip: z.string().describe('The URI of the zip archive with the flows.') });

export const exportFlows = defineTask({
  type: 'kestra.flows.Export',
  title: 'Export flows',
  description: 'Stores the flows of a namespace, or with labels, as a zip archive of YAML files.',
  input: () =>
    z.object({
      ...serverProperties(),
      namespace: text().optional().describe('The namespace, with those below it.'),
      labels: listOf(text()).optional().describe('Labels that the flows must have, as `key:value`.'),
    }),
  output: zipOutput,
  sideEffects: true,
  examples: [
    {
      title: 'Back up all flows every night.',
      runs: false,
      code: `id: backup_flows
namespace: company.team

tasks:
  - id: export
    type: kestra.flows.Export

triggers:
  - id: nightly
    type: core.trigger.Schedule
    cron: "0 2 * * *"
`,
    },
  ],
  async run(context, input) {
    const query = { namespace: input.namespace, labels: input.labels };
    const { body } = await new Api(context, input).open('/flows/export/by-query', { query });
    return { flowsZip: await context.files.put('flows.zip', body) };
  },
});

export const exportFlowsById = defineTask({
  type: 'kestra.flows.ExportById',
  title: 'Export chosen flows',
  description: 'Stores the flows that are named as a zip archive of YAML files.',
  input: () =>
    z.object({
      ...serverProperties(),
      flows: listOf(
        part({
          namespace: text().describe('The namespace of the flow.'),
          id: text().describe('The id of the flow.'),
        }),
      ).describe('The flows.'),
    }),
  output: zipOutput,
  sideEffects: true,
  examples: [
    {
      title: 'Export two flows.',
      runs: false,
      code: `id: export_two
namespace: company.team

tasks:
  - id: export
    type: kestra.flows.ExportById
    flows:
      - {namespace: company.team, id: orders}
      - {namespace: company.team, id: customers}
`,
    },
  ],
  async run(context, input) {
    const { body } = await new Api(context, input).open('/flows/export/by-ids', {
      method: 'POST',
      json: input.flows,
    });
    return { flowsZip: await context.files.put('flows.zip', body) };
  },
});

export const fetchLogs = defineTask({
  type: 'kestra.logs.Fetch',
  title: 'Store logs through the API',
  description: 'Stores the log entries of an execution, or of a flow or namespace, as a file of rows.',
  input: () =>
    z.object({
      ...serverProperties(),
      namespace: text().optional().describe('The namespace.'),
      flowId: text().optional().describe('The id of the flow.'),
      executionId: text()
        .optional()
        .describe(
          'The id of the execution; the current one when neither it nor a flow or namespace is given.',
        ),
      tasksId: listOf(text()).optional().describe('Only entries of these tasks.'),
      level: choice(['ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'])
        .default('INFO')
        .describe('The lowest level to store.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file with the entries.'),
      size: z.number().describe('How many entries it has.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Store the errors of the current execution.',
      runs: false,
      code: `id: keep_errors
namespace: company.team

tasks:
  - id: errors
    type: kestra.logs.Fetch
    level: ERROR
`,
    },
  ],
  async run(context, input) {
    const api = new Api(context, input);
    const isSearch =
      input.executionId === undefined && (input.namespace !== undefined || input.flowId !== undefined);
    const executionId = input.executionId ?? context.run.executionId;
    async function* entries(): AsyncGenerator<Item> {
      const query = { minLevel: input.level };
      if (isSearch)
        yield* api.pages<Item>('/logs/search', {
          ...query,
          namespace: input.namespace,
          flowId: input.flowId,
        });
      else yield* await api.json<readonly Item[]>(`/logs/${encodeURIComponent(executionId)}`, { query });
    }
    async function* wanted(): AsyncGenerator<Item> {
      for await (const entry of entries())
        if (!input.tasksId || input.tasksId.includes(String(entry.taskId))) yield entry;
    }
    const writer = writeTypedRows(wanted(), context.signal);
    const uri = await context.files.put('logs.ion', writer.content);
    return { uri, size: writer.count };
  },
});

const namespacesOutput = () =>
  z.object({ namespaces: z.array(z.string()).describe('The names of the namespaces.') });

export const listNamespaces = defineTask({
  type: 'kestra.namespaces.List',
  title: 'List namespaces',
  description: 'Lists namespaces by the start of their name. Without `page` all are listed.',
  input: () =>
    z.object({
      ...serverProperties(),
      prefix: text().optional().describe('How the names start.'),
      page: integer({ min: 1 }).optional().describe('The page; all when absent.'),
      size: integer({ min: 1 }).default(10).describe('How many namespaces a page has.'),
      existingOnly: flag().default(false).describe('Only namespaces that were created as such.'),
    }),
  output: namespacesOutput,
  sideEffects: true,
  examples: [
    {
      title: 'List the namespaces of a team.',
      runs: false,
      code: `id: list_namespaces
namespace: company.team

tasks:
  - id: namespaces
    type: kestra.namespaces.List
    prefix: company.
`,
    },
  ],
  async run(context, input) {
    const api = new Api(context, input);
    const query = { q: input.prefix, existing: input.existingOnly };
    const path = '/namespaces/search';
    const names: string[] = [];
    const add = ({ id }: Item) => {
      if (input.prefix === undefined || String(id).startsWith(input.prefix)) names.push(String(id));
    };
    if (input.page === undefined) for await (const namespace of api.pages<Item>(path, query)) add(namespace);
    else {
      const { results } = await api.json<{ results: readonly Item[] }>(path, {
        query: { ...query, page: input.page, size: input.size },
      });
      results.forEach(add);
    }
    return { namespaces: names };
  },
});

export const namespacesWithFlows = defineTask({
  type: 'kestra.namespaces.NamespacesWithFlows',
  title: 'List namespaces that have flows',
  description: 'Lists the namespaces that have at least one flow.',
  input: () =>
    z.object({ ...serverProperties(), prefix: text().optional().describe('How the names start.') }),
  output: namespacesOutput,
  sideEffects: true,
  examples: [
    {
      title: 'Visit every namespace with flows.',
      runs: false,
      code: `id: visit_namespaces
namespace: company.team

tasks:
  - id: namespaces
    type: kestra.namespaces.NamespacesWithFlows

  - id: visit
    type: core.flow.ForEach
    values: "{{ outputs.namespaces.namespaces }}"
    tasks:
      - id: name
        type: core.log.Log
        message: "{{ taskrun.value }}"
`,
    },
  ],
  async run(context, input) {
    const names = await new Api(context, input).json<readonly string[]>('/flows/distinct-namespaces', {
      query: { q: input.prefix },
    });
    return {
      namespaces: names.filter((name) => input.prefix === undefined || name.startsWith(input.prefix)),
    };
  },
});

export const toggleTrigger = defineTask({
  type: 'kestra.triggers.Toggle',
  title: 'Switch a trigger on or off through the API',
  description:
    'Enables or disables a trigger of a flow. Namespace and flow are those of the current execution when absent.',
  input: () =>
    z.object({
      ...serverProperties(),
      namespace: text().optional().describe('The namespace of the flow.'),
      flowId: text().optional().describe('The id of the flow.'),
      trigger: text().optional().describe('The id of the trigger.'),
      enabled: flag().default(false).describe('Whether the trigger is enabled.'),
    }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [
    {
      title: 'Disable a trigger.',
      runs: false,
      code: `id: disable
namespace: company.team

tasks:
  - id: disable
    type: kestra.triggers.Toggle
    namespace: company.team
    flowId: orders
    trigger: hourly
    enabled: false
`,
    },
  ],
  async run(context, input) {
    if (input.trigger === undefined)
      throw new TaskFailed('"trigger" is needed: the id of the trigger.', { retry: false });
    const json = {
      namespace: input.namespace ?? context.run.namespace,
      flowId: input.flowId ?? context.run.flowId,
      triggerId: input.trigger,
      disabled: !input.enabled,
    };
    await new Api(context, input).json('/triggers', { method: 'PUT', json });
    return {};
  },
});
