import { defineTask, type TaskFailed, text } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anAiContext } from '../testing/aiContext.ts';
import { ModelServer, type Step } from '../testing/modelServer.ts';
import { aiAgent } from './aiAgent.ts';

const server = new ModelServer();
beforeAll(async () => void (await server.start()));
afterAll(() => server.stop());

const provider = () => ({
  type: 'ai.provider.OpenAI',
  modelName: 'gpt-5-mini',
  apiKey: 'sk-test',
  baseUrl: server.url,
});
const call = (name: string, given: unknown): Step => ({ calls: [{ name, arguments: given }] });

/** A task for `KestraTask` that returns its input. */
const echo = defineTask({
  type: 'test.Echo',
  title: 'Echo',
  description: 'Returns its text.',
  input: () => z.object({ word: text().describe('A word.'), inner: z.record(z.string(), text()).optional() }),
  output: () => z.object({ said: z.string() }),
  sideEffects: false,
  examples: [],
  run: (_, { word, inner }) => ({ said: [word, ...Object.values(inner ?? {})].join(' ') }),
});

const run = (properties: Record<string, unknown>, context = anAiContext({ types: [echo] })) =>
  runType(aiAgent, { provider: provider(), prompt: 'Do it', ...properties }, context);

const failureOf = (running: Promise<unknown>): Promise<TaskFailed> =>
  running.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: TaskFailed) => error,
  );

const echoTool = {
  type: 'ai.tool.KestraTask',
  tasks: [{ id: 'say', type: 'test.Echo', description: 'Says a word.', word: '...' }],
};

describe('an agent', () => {
  test('calls tools until the model responds, and every call stands in the log and the outputs', async () => {
    server.play([
      { text: 'I will say it.', calls: [{ name: 'kestra_task_say', arguments: { word: 'hello' } }] },
      { calls: [{ name: 'kestra_task_say', arguments: { word: 'again' } }] },
      { text: 'Done' },
    ]);
    const context = anAiContext({ types: [echo] });
    const outputs = await run({ tools: [echoTool], systemMessage: 'You talk.' }, context);
    expect(outputs).toMatchObject({
      textOutput: 'Done',
      tokenUsage: { totalTokenCount: 45 },
      finishReason: 'STOP',
      toolExecutions: [
        {
          requestId: 'call_1',
          requestName: 'kestra_task_say',
          requestArguments: { word: 'hello' },
          result: '{"said":"hello"}',
        },
        { requestArguments: { word: 'again' } },
      ],
      intermediateResponses: [
        {
          completion: 'I will say it.',
          finishReason: 'TOOL_EXECUTION',
          toolExecutionRequests: [{ name: 'kestra_task_say', arguments: { word: 'hello' } }],
        },
        {},
      ],
    });
    expect(server.bodies[0]?.tools).toMatchObject([
      {
        type: 'function',
        function: {
          name: 'kestra_task_say',
          description: 'Says a word.',
          parameters: {
            properties: { word: { type: 'string', description: 'A word.' } },
            required: ['word'],
          },
        },
      },
    ]);
    expect(server.bodies[2]?.messages).toMatchObject([
      { role: 'system', content: 'You talk.' },
      { role: 'user', content: 'Do it' },
      { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', content: '{"said":"hello"}' },
      { role: 'assistant' },
      { role: 'tool', content: '{"said":"again"}' },
    ]);
    const lines = context.logs.map(({ message }) => message);
    expect(lines).toContain('Tool "kestra_task_say" called with {"word":"hello"}');
    expect(lines).toContain('Tool "kestra_task_say" returned {"said":"hello"}');
    expect(context.metrics).toContainEqual({
      name: 'ai.agent.tool.calls',
      type: 'counter',
      value: 1,
      tags: { tool: 'kestra_task_say' },
    });
    expect(context.metrics).toContainEqual({ name: 'total.token.count', type: 'counter', value: 45 });
  });

  test('that asks for tools too often fails, and its tokens are counted', async () => {
    server.play(() => call('kestra_task_say', { word: 'more' }));
    const context = anAiContext({ types: [echo] });
    const failure = await failureOf(run({ tools: [echoTool], maxSequentialToolsInvocations: 2 }, context));
    expect(failure.message).toContain('more than 2 times in a row');
    expect(failure.retry).toBe(false);
    expect(server.requests).toHaveLength(3);
    expect(context.metrics).toContainEqual({ name: 'total.token.count', type: 'counter', value: 45 });
  });

  test('that uses more tokens than it may fails before its tools run, and one that ends in time succeeds', async () => {
    const context = anAiContext({ types: [echo] });
    server.play(() => call('kestra_task_say', { word: 'more' }));
    const failure = await failureOf(run({ tools: [echoTool], maxTotalTokens: 20 }, context));
    expect(failure.message).toBe(
      'The conversation has used 30 tokens and is not finished; "maxTotalTokens" allows 20.',
    );
    expect(failure.retry).toBe(false);
    expect(server.requests).toHaveLength(2);
    expect(context.logs.filter(({ message }) => message.includes('called with'))).toHaveLength(1);
    expect(context.metrics).toContainEqual({ name: 'total.token.count', type: 'counter', value: 30 });
    server.play([call('kestra_task_say', { word: 'once' }), { text: 'Done' }]);
    expect((await run({ tools: [echoTool], maxTotalTokens: 20 })).textOutput).toBe('Done');
  });

  test.each([
    [call('unknown_tool', {}), 'asked for the tool "unknown_tool", which it was not given'],
    [call('kestra_task_say', '{"word": '), 'arguments that are no JSON object'],
    [call('kestra_task_say', { word: [] }), 'The tool "kestra_task_say" failed: Invalid properties'],
  ])('whose model makes a mistake fails: %j', async (step, words) => {
    server.play([step]);
    expect((await failureOf(run({ tools: [echoTool] }))).message).toContain(words);
  });

  test('ends within moments when it is killed while a tool works', async () => {
    const context = anAiContext({
      types: [
        defineTask({
          type: 'test.Echo',
          title: 'Never',
          description: 'Never ends.',
          input: () => z.object({ word: text() }),
          output: () => z.object({}),
          sideEffects: false,
          examples: [],
          run: () => {
            context.kill();
            return new Promise<never>(() => {});
          },
        }),
      ],
    });
    server.play([call('kestra_task_say', { word: 'x' })]);
    await expect(run({ tools: [echoTool] }, context)).rejects.toThrow(/abort/i);
  });

  test('refuses two tools of one name', async () => {
    expect((await failureOf(run({ tools: [echoTool, echoTool] }))).message).toContain(
      'Two tools have the name',
    );
  });

  test('has what another agent can do as a tool', async () => {
    server.play([call('expert', { prompt: 'What is 6 times 7?' }), { text: '42' }, { text: 'It is 42.' }]);
    const outputs = await run({
      tools: [
        { type: 'ai.tool.AIAgent', name: 'expert', description: 'Knows numbers.', provider: provider() },
      ],
    });
    expect(outputs).toMatchObject({ textOutput: 'It is 42.', toolExecutions: [{ result: '42' }] });
    expect(server.bodies[1]?.messages).toEqual([{ role: 'user', content: 'What is 6 times 7?' }]);
  });

  test('reads a skill when it needs it', async () => {
    server.play([
      call('activate_skill', { skill: 'notes' }),
      call('read_skill_resource', { skill: 'notes', relativePath: 'a.txt' }),
      { text: 'Done' },
    ]);
    const skill = {
      name: 'notes',
      description: 'How to write notes.',
      content: 'Be brief.',
      resources: [{ relativePath: 'a.txt', content: 'An example' }],
    };
    const { toolExecutions } = await run({ tools: [{ type: 'ai.tool.Skill', skills: [skill] }] });
    expect(toolExecutions).toMatchObject([
      { result: 'Be brief.\n\nFiles of this skill:\n- a.txt' },
      { result: 'An example' },
    ]);
    expect(JSON.stringify(server.bodies[0]?.tools)).toContain('notes: How to write notes.');
  });
});

describe('tasks as tools', () => {
  test('may have their older name', async () => {
    server.play([call('kestra_task_say', { word: 'hi' }), { text: 'Done' }]);
    const { toolExecutions } = await run({ tools: [{ ...echoTool, type: 'ai.tool.KestraTaskCalling' }] });
    expect(toolExecutions).toMatchObject([{ result: '{"said":"hi"}' }]);
  });

  test('never render what the model gives', async () => {
    server.play([
      call('kestra_task_say', { word: '{{ secret("KEY") }}', inner_deep: '{{ 1 + 1 }}' }),
      { text: 'Done' },
    ]);
    const context = anAiContext({
      types: [echo],
      secrets: { KEY: 'hidden' },
      variables: { inputs: { x: 'rendered' } },
    });
    const { toolExecutions } = await run(
      {
        tools: [
          {
            type: 'ai.tool.KestraTask',
            tasks: [
              {
                id: 'say',
                type: 'test.Echo',
                word: '...',
                inner: { deep: '...', fixed: '{{ inputs.x }}' },
              },
            ],
          },
        ],
      },
      context,
    );
    expect(toolExecutions).toMatchObject([
      { result: '{"said":"{{ secret(\\"KEY\\") }} {{ 1 + 1 }} rendered"}' },
    ]);
  });

  test('of an unknown type fail the task before the model is asked', async () => {
    server.play([]);
    const tasks = [{ id: 'say', type: 'test.Nothing' }];
    const failure = await failureOf(run({ tools: [{ type: 'ai.tool.KestraTask', tasks }] }));
    expect(failure.message).toBe('"test.Nothing" is not a task that a tool can run.');
    expect(server.requests).toHaveLength(0);
  });
});

describe('a flow as a tool', () => {
  const source = `id: load
namespace: company.team
description: Loads orders.
inputs:
  - {id: day, type: DATE, description: The day}
  - {id: limit, type: INT, defaults: 5}
  - {id: country, type: SELECT, values: [FR, DE]}
  - {id: token, type: STRING}
tasks:
  - {id: a, type: core.log.Log, message: x}
`;

  test('is described by its inputs, and started with what the model and the author give', async () => {
    const context = anAiContext({ variables: { labels: { team: 'data', system: { correlationId: 'c1' } } } });
    await context.flows.save(source);
    server.play([
      call('kestra_flow_company_team_load', { day: '2026-01-31', country: 'FR' }),
      { text: 'Started' },
    ]);
    const { toolExecutions } = await run(
      {
        tools: [
          {
            type: 'ai.tool.KestraFlow',
            namespace: 'company.team',
            flowId: 'load',
            inputs: { token: 'abc', country: 'DE' },
            labels: { by: 'agent' },
            inheritLabels: true,
          },
        ],
      },
      context,
    );
    expect(server.bodies[0]?.tools).toMatchObject([
      {
        function: {
          description: 'Starts the flow load. Loads orders.',
          parameters: {
            properties: {
              day: { type: 'string', description: 'The day. A date such as 2026-01-31' },
              limit: { type: 'integer' },
              country: { enum: ['FR', 'DE'] },
            },
            required: ['day'],
          },
        },
      },
    ]);
    expect(context.flows.started).toEqual([
      {
        namespace: 'company.team',
        id: 'load',
        inputs: { token: 'abc', country: 'FR', day: '2026-01-31' },
        labels: [
          { key: 'system.correlationId', value: 'c1' },
          { key: 'team', value: 'data' },
          { key: 'by', value: 'agent' },
        ],
      },
    ]);
    expect(toolExecutions).toMatchObject([{ result: '{"executionId":"started1","state":"CREATED"}' }]);
  });

  test('may be any flow when none is named', async () => {
    const context = anAiContext();
    await context.flows.save(source);
    server.play([call('kestra_flow', { namespace: 'company.team', flowId: 'load' }), { text: 'Started' }]);
    await run({ tools: [{ type: 'ai.tool.KestraFlow' }] }, context);
    expect(context.flows.started).toMatchObject([{ namespace: 'company.team', id: 'load' }]);
  });

  test('must exist', async () => {
    const tools = [{ type: 'ai.tool.KestraFlow', namespace: 'company.team', flowId: 'none' }];
    expect((await failureOf(run({ tools }))).message).toBe('There is no flow company.team.none.');
  });
});

describe('a memory', () => {
  const memory = (more: Record<string, unknown> = {}) => ({ type: 'ai.memory.KestraKVStore', ...more });

  test('continues a conversation of the same correlation', async () => {
    const context = anAiContext({ types: [echo] });
    server.play([call('kestra_task_say', { word: 'hi' }), { text: 'Hello Ada' }, { text: 'You are Ada' }]);
    await run({ memory: memory(), prompt: 'I am Ada', tools: [echoTool] }, context);
    await run({ memory: memory(), prompt: 'Who am I?', systemMessage: 'Be kind.' }, context);
    expect(server.bodies[2]?.messages).toMatchObject([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'I am Ada' },
      { role: 'assistant', tool_calls: [{}] },
      { role: 'tool' },
      { role: 'assistant', content: 'Hello Ada' },
      { role: 'user', content: 'Who am I?' },
    ]);
    expect([...(context.kv.byNamespace.get('company.team') ?? [])]).toMatchObject([
      ['correlation1', { type: 'JSON', ttlMs: 3_600_000 }],
    ]);
  });

  test('keeps the last messages only, beginning with one of the user', async () => {
    const context = anAiContext();
    server.play((_, count) => ({ text: `Answer ${count}` }));
    for (const prompt of ['one', 'two', 'three'])
      await run({ memory: memory({ messages: 3, memoryId: 'chat 1' }), prompt }, context);
    await run({ memory: memory({ memoryId: 'chat 1' }), prompt: 'four' }, context);
    expect(server.bodies[3]?.messages).toMatchObject([
      { role: 'user', content: 'three' },
      { role: 'assistant', content: 'Answer 2' },
      { role: 'user', content: 'four' },
    ]);
  });

  test.each(['BEFORE_TASKRUN', 'AFTER_TASKRUN'])('is emptied %s', async (drop) => {
    const context = anAiContext();
    server.play(() => ({ text: 'ok' }));
    await run({ memory: memory(), prompt: 'one' }, context);
    await run({ memory: memory({ drop }), prompt: 'two' }, context);
    await run({ memory: memory(), prompt: 'three' }, context);
    const said = server.bodies[2]?.messages as { content: string }[];
    expect(said.map(({ content }) => content)).toEqual(
      drop === 'BEFORE_TASKRUN' ? ['two', 'ok', 'three'] : ['three'],
    );
  });
});
