import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { defineAdditional, defineTask, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, isMap, type JsonMap, mapIn, mapsIn, textIn } from '../base/callJson.ts';
import { agentWith, oneTask } from '../base/example.ts';
import { objectSchema, toolName, toolPlace } from '../base/tool.ts';

const serverUrl = () =>
  text().describe('The address of the agent. Its card is read from `/.well-known/agent-card.json` below it.');

export const a2aClient = defineTask({
  type: 'ai.agent.A2AClient',
  title: 'Ask an agent through the A2A protocol',
  description:
    'Sends a prompt to an agent that speaks the Agent2Agent protocol over JSON-RPC, and waits for its response.',
  input: () =>
    z.object({
      serverUrl: serverUrl(),
      prompt: text().describe('What the agent is asked.'),
    }),
  output: () => z.object({ textOutput: z.string().describe('The response.') }),
  sideEffects: true,
  examples: [
    oneTask(
      'ask_an_agent',
      'ai.agent.A2AClient',
      'Ask a remote agent.',
      'serverUrl: https://agent.example.com\nprompt: Summarize the incidents of this week.',
    ),
  ],
  run: async (context, input) => ({ textOutput: await askAgent(context, input.serverUrl, input.prompt) }),
});

export const a2aTool = defineAdditional({
  place: toolPlace,
  type: 'ai.tool.A2AClient',
  title: 'Let the model ask a remote agent',
  description: 'An agent that speaks the Agent2Agent protocol, as a tool.',
  input: () =>
    z.object({
      name: text().default('tool').describe('The name of the tool, for the model.'),
      description: text().describe('What the agent can do, for the model.'),
      serverUrl: serverUrl(),
    }),
  examples: [
    agentWith(
      'with_remote_agent',
      'What happened this week?',
      `- type: ai.tool.A2AClient
  name: incidents
  description: Knows all incidents.
  serverUrl: https://agent.example.com`,
    ),
  ],
  create: (context, { name, description, serverUrl: url }) => ({
    tools: [
      {
        name: toolName(name),
        description,
        inputSchema: objectSchema({ prompt: { type: 'string', description: 'What to ask.' } }),
        execute: (given: JsonMap) => askAgent(context, url, String(given.prompt)),
      },
    ],
  }),
});

const waitMs = 1_000;
const ended = new Set(['completed', 'failed', 'canceled', 'rejected', 'input-required', 'auth-required']);

async function askAgent(context: TaskContext, url: string, prompt: string): Promise<string> {
  const endpoint = await findEndpoint(context, url);
  const call = async (method: string, params: JsonMap): Promise<JsonMap> => {
    const { body } = await callJson(context, {
      service: 'The agent',
      url: endpoint,
      body: { jsonrpc: '2.0', id: randomUUID(), method, params },
    });
    if (isMap(body.error)) throw new TaskFailed(`The agent refused: ${textIn(body.error.message)}`);
    return mapIn(body.result);
  };
  const message = {
    kind: 'message',
    role: 'user',
    messageId: randomUUID(),
    parts: [{ kind: 'text', text: prompt }],
  };
  let result = await call('message/send', { message, configuration: { blocking: true } });
  while (result.kind === 'task' && !ended.has(stateOf(result))) {
    await delay(waitMs, undefined, { signal: context.signal });
    result = await call('tasks/get', { id: result.id });
  }
  if (result.kind === 'task' && stateOf(result) !== 'completed')
    throw new TaskFailed(`The task of the agent ended as "${stateOf(result)}": ${responseOf(result)}`);
  return responseOf(result);
}

const stateOf = (task: JsonMap): string => textIn(mapIn(task.status).state);

async function findEndpoint(context: TaskContext, url: string): Promise<string> {
  const base = url.replace(/\/+$/, '');
  for (const path of ['/.well-known/agent-card.json', '/.well-known/agent.json']) {
    const { status, body } = await callJson(context, {
      service: 'The agent',
      url: `${base}${path}`,
      allow: [404, 405],
    });
    if (status < 300 && typeof body.url === 'string') return body.url;
  }
  return base;
}

/** The texts of a message, or of the artifacts of a task and else of its status. */
function responseOf(result: JsonMap): string {
  const texts = (value: unknown) =>
    mapsIn(value).flatMap((one) => (one.kind === 'text' ? [textIn(one.text)] : []));
  const artifacts = mapsIn(result.artifacts).flatMap(({ parts }) => texts(parts));
  const status = texts(mapIn(mapIn(result.status).message).parts);
  return [texts(result.parts), artifacts, status].find((found) => found.length > 0)?.join('\n') ?? '';
}
