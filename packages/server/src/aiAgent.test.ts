import { ModelServer, mcpReferenceServer } from '@millrace/plugin-ai/testing';
import { families } from '@millrace/plugins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, stateOf, taskRunsOf } from './testing/aServer.ts';
import { databases } from './testing/databases.ts';

/** The families that test servers lack. */
const connectors = families
  .filter(({ name }) => name !== 'core' && name !== 'scripts')
  .flatMap(({ types }) => types);

const model = new ModelServer();
beforeAll(async () => void (await model.start()));
afterAll(() => model.stop());

const agentFlow = (url: string) => `id: operator
namespace: company.team
inputs:
  - {id: job, type: STRING}
tasks:
  - id: agent
    type: io.kestra.plugin.ai.agent.AIAgent
    provider:
      type: io.kestra.plugin.ai.provider.OpenAI
      modelName: gpt-5-mini
      baseUrl: ${url}
    prompt: "{{ inputs.job }}"
    tools:
      - type: io.kestra.plugin.ai.tool.KestraFlow
        namespace: company.team
        flowId: greet
      - type: io.kestra.plugin.ai.tool.KestraTask
        tasks:
          - {id: note, type: core.kv.Set, description: Writes a note., key: note, value: "..."}
      - type: io.kestra.plugin.ai.tool.StdioMcpClient
        command: ["${process.execPath}", "${mcpReferenceServer}", stdio]
    memory:
      type: io.kestra.plugin.ai.memory.KestraKVStore
      memoryId: operator
    maxSequentialToolsInvocations: 5
  - id: show
    type: core.log.Log
    message: "The agent says: {{ outputs.agent.textOutput }}"
pluginDefaults:
  - type: io.kestra.plugin.ai.provider.OpenAI
    values:
      apiKey: sk-test
`;

const greetFlow = `id: greet
namespace: company.team
description: Greets one person.
inputs:
  - {id: name, type: STRING}
tasks:
  - {id: hello, type: core.log.Log, message: "Hello {{ inputs.name }}"}
`;

const streamFlow = (id: string, url: string) => `id: ${id}
namespace: company.team
tasks:
  - id: ask
    type: ai.completion.ChatCompletion
    provider:
      type: ai.provider.OpenAI
      modelName: gpt-5-mini
      apiKey: sk-test
      baseUrl: ${url}
    configuration: {logResponses: true}
    messages: [{type: USER, content: Hi}]
    retry: {type: constant, interval: PT0.1S, maxAttempts: 2}
`;

describe.each(databases)('an AI agent on $name', (database) => {
  const shared = sharedServer(database, { definitions: connectors });

  /** What a successful execution logged; the log of another one tells why it failed. */
  async function linesOfSuccess(execution: Awaited<ReturnType<ReturnType<typeof shared>['run']>>) {
    const { body } = await shared().call('GET', `/logs/${execution.id}`);
    const lines = (body as unknown as { message: string }[]).map(({ message }) => message);
    const isSuccess = stateOf(execution) === 'SUCCESS';
    expect([stateOf(execution), isSuccess ? [] : lines]).toEqual(['SUCCESS', []]);
    return lines;
  }

  it('starts a flow, runs a task, uses an MCP server, and remembers the conversation', async () => {
    await shared().saveFlow(greetFlow);
    await shared().saveFlow(agentFlow(model.url));
    model.play([
      { calls: [{ name: 'kestra_flow_company_team_greet', arguments: { name: 'Ada' } }] },
      {
        calls: [
          { name: 'kestra_task_note', arguments: { value: 'greeted {{ inputs.job }}' } },
          { name: 'get-sum', arguments: { a: 40, b: 2 } },
        ],
      },
      { text: 'Ada was greeted.' },
      { text: 'You asked me to greet Ada.' },
    ]);
    const execution = await shared().run('operator', { job: 'Greet Ada' });
    const lines = await linesOfSuccess(execution);
    const outputs = taskRunsOf(execution)[0]?.outputs as Record<string, never>;
    expect(outputs).toMatchObject({
      textOutput: 'Ada was greeted.',
      tokenUsage: { totalTokenCount: 45 },
      toolExecutions: [
        { requestName: 'kestra_flow_company_team_greet' },
        { requestName: 'kestra_task_note' },
        { requestName: 'get-sum', result: expect.stringContaining('42') },
      ],
    });

    // The flow was started as an execution of the same correlation.
    const [{ result }] = outputs.toolExecutions as unknown as [{ result: string }];
    const { executionId } = JSON.parse(result);
    const started = await shared().waitForState(executionId, 'SUCCESS');
    expect(started).toMatchObject({
      flowId: 'greet',
      inputs: { name: 'Ada' },
      labels: [{ key: 'system.correlationId', value: execution.id }],
    });

    // Text of the model is stored as it is: its expression was not rendered.
    const note = await shared().call('GET', '/namespaces/company.team/kv/note');
    expect(note.body).toMatchObject({ value: 'greeted {{ inputs.job }}' });

    // Every tool call is in the log, and tokens are metrics of the task run.
    expect(lines).toContain('Tool "kestra_flow_company_team_greet" called with {"name":"Ada"}');
    expect(lines).toContain('Tool "get-sum" called with {"a":40,"b":2}');
    expect(lines).toContain('The agent says: Ada was greeted.');
    const metrics = await shared().call('GET', `/metrics/${execution.id}`);
    expect(metrics.body.results).toContainEqual(
      expect.objectContaining({ name: 'total.token.count', value: 45 }),
    );

    const second = await shared().run('operator', { job: 'What did I ask?' });
    await linesOfSuccess(second);
    expect(taskRunsOf(second)[0]?.outputs).toMatchObject({ textOutput: 'You asked me to greet Ada.' });
    const said = model.bodies.at(-1)?.messages as { role: string; content: string }[];
    expect(said.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'Greet Ada',
      'What did I ask?',
    ]);
  });

  it('tries a broken stream again', async () => {
    await shared().saveFlow(streamFlow('broken', model.url));
    model.play([{ text: 'Half of this arrives', breaks: 'connection' }, { text: 'All of this arrives' }]);
    const execution = await shared().run('broken');
    const lines = await linesOfSuccess(execution);
    expect(taskRunsOf(execution)[0]?.outputs).toMatchObject({ textOutput: 'All of this arrives' });
    expect(lines.join()).toContain('OpenAI did not complete its response');
    expect(lines).toContain('OpenAI writes: All of this arrives');
  });

  it('closes the stream of a killed execution at once', async () => {
    await shared().saveFlow(streamFlow('stalled', model.url));
    model.play([{ text: 'Half of this arrives', breaks: 'stall' }]);
    const { id } = await shared().start('stalled');
    await expect.poll(() => model.openStreams).toBe(1);
    await shared().call('DELETE', `/executions/${id}/kill`);
    await shared().waitForState(id, 'KILLED');
    await expect.poll(() => model.openStreams).toBe(0);
  });
});
