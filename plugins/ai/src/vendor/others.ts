import { setTimeout as delay } from 'node:timers/promises';
import {
  anything,
  aTaskRunner,
  type Definition,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  flag,
  inputFiles,
  integer,
  listOf,
  mapOf,
  namespaceFiles,
  outputFiles,
  part,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { folderVariables, runScript, scriptOutput } from '@millrace/plugin-scripts';
import { z } from 'zod';
import {
  callJson,
  callText,
  dropMissing,
  isMap,
  type JsonMap,
  mapIn,
  mapsIn,
  numberIn,
  textIn,
} from '../base/callJson.ts';
import { oneTask } from '../base/example.ts';

const inference = defineTask({
  type: 'huggingface.Inference',
  title: 'Run a model of Hugging Face',
  description: 'Calls a model of the Inference API of Hugging Face and returns its response as it is.',
  input: () =>
    z.object({
      apiKey: text().describe('The token.'),
      model: text().describe('The model, such as `facebook/bart-large-mnli`.'),
      inputs: text().describe('What the model works on.'),
      parameters: mapOf(anything()).optional().describe('Parameters of the model.'),
      endpoint: text()
        .default('https://api-inference.huggingface.co/models')
        .describe('The address of the API; the model is added to it.'),
      useCache: flag().default(true).describe('Take the response to an equal request from the cache.'),
      waitForModel: flag()
        .default(false)
        .describe('Wait for a model that is not loaded, instead of failing.'),
      options: part({
        connectTimeout: duration().optional().describe('How long to wait for a connection.'),
        readTimeout: duration().prefault('PT10S').describe('How long to wait for the response.'),
        readIdleTimeout: duration().prefault('PT5M').describe('The longest pause in the response.'),
        connectionPoolIdleTimeout: duration().prefault('PT0S').describe('Accepted for compatibility.'),
        maxContentLength: integer({ min: 1 }).default(10_485_760).describe('Accepted for compatibility.'),
        defaultCharset: text().default('UTF-8').describe('Accepted for compatibility.'),
      })
        .optional()
        .describe('How to send.'),
    }),
  output: () => z.object({ output: z.unknown().describe('The response.') }),
  sideEffects: true,
  examples: [
    oneTask(
      'classify_with_huggingface',
      'huggingface.Inference',
      'Choose a class for a text.',
      `apiKey: "{{ secret('HF_TOKEN') }}"
model: facebook/bart-large-mnli
inputs: My invoice is wrong
parameters:
  candidate_labels: [billing, technical]
waitForModel: true`,
    ),
  ],
  async run(context, input) {
    context.masker.add(input.apiKey);
    const { text: response } = await callText(context, {
      service: 'Hugging Face',
      url: `${input.endpoint.replace(/\/+$/, '')}/${input.model.split('/').map(encodeURIComponent).join('/')}`,
      headers: {
        authorization: `Bearer ${input.apiKey}`,
        'x-use-cache': String(input.useCache),
        'x-wait-for-model': String(input.waitForModel),
      },
      body: dropMissing({ inputs: input.inputs, parameters: input.parameters }),
      readIdleTimeoutMs: input.waitForModel ? 10 * 60_000 : (input.options?.readTimeout ?? 10_000),
    });
    return { output: JSON.parse(response) };
  },
});

const ollamaCli = defineTask({
  type: 'ollama.cli.OllamaCLI',
  title: 'Run ollama commands',
  description: `Runs commands with the program \`ollama\` in a container. Without \`host\` a server is started in the container first; models
are kept in the folder \`modelCachePath\` when it is a folder that the container mounts.`,
  input: () =>
    z.object({
      commands: listOf(text(), { min: 1 }).describe('The commands, such as `ollama run llama3.2 "Hello"`.'),
      env: mapOf(text()).default({}).describe('Environment variables of the process.'),
      taskRunner: fixed(aTaskRunner())
        .optional()
        .describe('Where the program runs; a Docker container when absent.'),
      containerImage: text().default('ollama/ollama').describe('The image that has the program.'),
      namespaceFiles: namespaceFiles().optional(),
      inputFiles: inputFiles().optional(),
      outputFiles: outputFiles().default([]),
      enableModelCaching: flag().default(true).describe('Keep models in `modelCachePath`.'),
      modelCachePath: text().optional().describe('The folder of the models, as `OLLAMA_MODELS`.'),
      host: text().optional().describe('A server that runs elsewhere, as `OLLAMA_HOST`.'),
      auth: part({ apiKey: text().optional().describe('The key of the server, as `OLLAMA_API_KEY`.') })
        .optional()
        .describe('How to sign in.'),
    }),
  renderWith: folderVariables,
  output: scriptOutput,
  sideEffects: true,
  examples: [
    oneTask(
      'ask_ollama',
      'ollama.cli.OllamaCLI',
      'Ask a model that runs in the container.',
      `commands:
  - ollama pull llama3.2
  - ollama run llama3.2 "What is a watermill?" > answer.txt
outputFiles: [answer.txt]`,
    ),
  ],
  run: (context, { commands, env, host, auth, enableModelCaching, modelCachePath, ...rest }) => {
    if (auth?.apiKey) context.masker.add(auth.apiKey);
    const wait = 'until ollama list >/dev/null 2>&1; do sleep 0.2; done';
    return runScript(
      context,
      {
        ...rest,
        taskRunner: rest.taskRunner ?? { type: 'scripts.runner.docker.Docker', entryPoint: [''] },
        env: {
          ...(host !== undefined && { OLLAMA_HOST: host }),
          ...(auth?.apiKey !== undefined && { OLLAMA_API_KEY: auth.apiKey }),
          ...(enableModelCaching && modelCachePath !== undefined && { OLLAMA_MODELS: modelCachePath }),
          ...env,
        },
        interpreter: ['/bin/sh', '-c'],
        beforeCommands: host === undefined ? ['ollama serve >/dev/null 2>&1 &', wait] : [],
        failFast: true,
        targetOS: 'AUTO',
        warningOnStdErr: false,
        outputDirectory: false,
      },
      { lines: commands },
    );
  },
});

const mistralUrl = 'https://api.mistral.ai/v1';

const connection = () => ({
  apiKey: text().describe('The API key.'),
  baseUrl: text().default(mistralUrl).describe('The address of the API.'),
});

interface Connection {
  readonly apiKey: string;
  readonly baseUrl: string;
}

async function mistral(context: TaskContext, { apiKey, baseUrl }: Connection, path: string, body?: unknown) {
  context.masker.add(apiKey);
  const response = await callJson(context, {
    service: 'Mistral AI',
    url: `${baseUrl.replace(/\/+$/, '')}${path}`,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(body !== undefined && { body }),
  });
  return response.body;
}

const ended = new Set(['COMPLETED', 'FAILED', 'CANCELED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT']);

const runWorkflow = defineTask({
  type: 'mistral.RunWorkflow',
  title: 'Run a workflow of Mistral AI',
  description: 'Starts a workflow of Mistral AI and waits for its end.',
  input: () =>
    z.object({
      ...connection(),
      workflowIdentifier: text().describe('The name or id of the workflow.'),
      input: mapOf(anything()).optional().describe('Its input.'),
      deploymentName: text().optional().describe('The deployment that runs it.'),
      executionId: text().optional().describe('The id of the run; Mistral chooses one when absent.'),
      wait: flag().default(true).describe('Wait for the end.'),
      waitTimeout: duration().prefault('PT15M').describe('How long to wait.'),
      pollInterval: duration().prefault('PT5S').describe('How often to look.'),
    }),
  output: () =>
    z.object({
      executionId: z.string().describe('The id of the run.'),
      status: z.string().describe('Its state.'),
      result: z.string().optional().describe('Its result, as JSON.'),
      startTime: z.string().optional().describe('When it started.'),
      endTime: z.string().optional().describe('When it ended.'),
      totalDurationMs: z.number().optional().describe('How long it took.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      'run_workflow',
      'mistral.RunWorkflow',
      'Run a workflow.',
      `apiKey: "{{ secret('MISTRAL_API_KEY') }}"\nworkflowIdentifier: summarize\ninput:\n  text: Hello`,
    ),
  ],
  async run(context, input) {
    const started = await mistral(
      context,
      input,
      `/workflows/${encodeURIComponent(input.workflowIdentifier)}/execute`,
      dropMissing({
        input: input.input ?? {},
        deployment_name: input.deploymentName,
        execution_id: input.executionId,
      }),
    );
    const id = textIn(started.execution_id);
    const deadline = Date.now() + input.waitTimeout;
    let state = started;
    while (input.wait && !ended.has(textIn(state.status).toUpperCase())) {
      if (Date.now() > deadline)
        throw new TaskFailed(`The workflow ${id} did not end within ${input.waitTimeout / 1000} s.`);
      await delay(input.pollInterval, undefined, { signal: context.signal });
      state = await mistral(context, input, `/workflows/executions/${encodeURIComponent(id)}`);
    }
    const status = textIn(state.status).toUpperCase();
    if (input.wait && status !== 'COMPLETED')
      throw new TaskFailed(`The workflow ${id} ended as ${status}: ${JSON.stringify(state.result ?? null)}`);
    const [startTime, endTime] = [textIn(state.start_time), textIn(state.end_time)];
    return {
      executionId: id,
      status,
      ...(state.result !== undefined && { result: JSON.stringify(state.result) }),
      ...(startTime !== '' && { startTime }),
      ...(endTime !== '' && { endTime }),
      ...(startTime !== '' &&
        endTime !== '' && { totalDurationMs: Date.parse(endTime) - Date.parse(startTime) }),
    };
  },
});

const workflowEvents = defineTrigger({
  type: 'mistral.WorkflowEvents',
  role: 'polling',
  title: 'Start a flow for events of workflows of Mistral AI',
  description:
    'Polls the events of workflows and starts an execution for the next event of the chosen types. It remembers how far it came.',
  input: () =>
    z.object({
      apiKey: text().optional().describe('The API key.'),
      baseUrl: text().default(mistralUrl).describe('The address of the API.'),
      workflowName: text().optional().describe('Only events of this workflow.'),
      eventTypes: listOf(text())
        .default(['WorkflowExecutionCompleted', 'WorkflowExecutionFailed', 'WorkflowExecutionCanceled'])
        .describe('The types of events.'),
      interval: fixed(duration()).prefault('PT30S').describe('How often to poll.'),
    }),
  output: () =>
    z.object({
      workflowExecId: z.string().describe('The id of the run.'),
      workflowName: z.string().describe('The workflow.'),
      eventType: z.string().describe('What happened.'),
      eventTimestamp: z.number().describe('When it happened.'),
      attributes: z.string().describe('The event as JSON.'),
    }),
  examples: [
    {
      title: 'React to workflows that end.',
      runs: false,
      code: `id: mistral_events
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.workflowName }}: {{ trigger.eventType }}"

triggers:
  - id: events
    type: mistral.WorkflowEvents
    apiKey: "{{ secret('MISTRAL_API_KEY') }}"
`,
    },
  ],
  async poll(context, input) {
    const { cursor, pending = [] } = readMemory(context.memory);
    let [events, next] = [pending, cursor];
    if (events.length === 0) {
      const query = new URLSearchParams({
        ...(cursor !== undefined && { cursor }),
        ...(input.workflowName !== undefined && { workflow_name: input.workflowName }),
      });
      const login = { apiKey: input.apiKey ?? '', baseUrl: input.baseUrl };
      const body = await mistral(context, login, `/workflows/events/list?${query}`);
      events = mapsIn(body.events).filter((event) => input.eventTypes.includes(textIn(event.event_type)));
      next = typeof body.next_cursor === 'string' ? body.next_cursor : cursor;
      // The first poll only finds the end of the stream, so old events start nothing.
      if (cursor === undefined) events = [];
    }
    const [event, ...rest] = events;
    context.remember({ cursor: next ?? '', pending: rest });
    if (!event) return undefined;
    return {
      workflowExecId: textIn(event.workflow_exec_id),
      workflowName: textIn(event.workflow_name),
      eventType: textIn(event.event_type),
      eventTimestamp: numberIn(event.event_timestamp),
      attributes: JSON.stringify(mapIn(event.attributes)),
    };
  },
});

function readMemory(value: unknown): { cursor?: string; pending?: readonly JsonMap[] } {
  if (!isMap(value)) return {};
  return {
    ...(typeof value.cursor === 'string' && { cursor: value.cursor }),
    pending: mapsIn(value.pending),
  };
}

export const otherServices: readonly Definition[] = [inference, ollamaCli, runWorkflow, workflowEvents];
