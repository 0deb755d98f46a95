import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, type TestServer } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { readStream } from '../testing/readStream.ts';
import { executionsOf } from './testing/scheduledFlows.ts';

const where = (filters: string, more = '') => `triggers:
  - id: listen
    type: core.trigger.Flow
    preconditions:
      id: those
      where:
        - id: named
          filters: [${filters}]
${more}`;

/** Counts how often an execution is read with all of its task runs. */
function wholeReads(server: TestServer) {
  const spy = vi.spyOn(server.product.store, 'getExecution');
  onTestFinished(() => spy.mockRestore());
  return (executionId: string) => spy.mock.calls.filter(([id]) => id === executionId).length;
}

describe.each(databases)('flow triggers on $name', (database) => {
  const shared = sharedServer(database);

  it('match a REGEX with look-around, and say when a pattern is invalid', async () => {
    const [server, up, other, down, broken] = [shared(), anId(), anId(), anId(), anId()];
    const pattern = (value: string) => where(`{ field: FLOW_ID, type: REGEX, value: '${value}' }`);
    await server.saveFlow(aFlow(up));
    await server.saveFlow(aFlow(other));
    await server.saveFlow(aFlow(down, pattern(`(?=${up}$)f\\d+`)));
    await server.saveFlow(aFlow(broken, pattern('(?=unclosed')));
    await server.run(other);
    await server.run(up);
    await expect.poll(() => executionsOf(server, down)).toHaveLength(1);
    await server.product.flowTriggers.settle();
    expect(await executionsOf(server, down)).toHaveLength(1);
    expect(await executionsOf(server, broken)).toEqual([]);
    const { body } = await server.call('GET', `/logs/search?flowId=${broken}&triggerId=listen`);
    expect(JSON.stringify(body)).toContain('is not a regular expression');
  });

  it('load the task runs of an execution only when they look at them', async () => {
    const [server, up, down, looking] = [shared(), anId(), anId(), anId()];
    await server.saveFlow(aFlow(up, 'tasks:\n  - { id: say, type: core.debug.Return, format: hello }\n'));
    const filter = `{ field: FLOW_ID, type: EQUAL_TO, value: ${up} }`;
    const inputs = 'inputs:\n  - { id: text, type: STRING }\n';
    const reads = wholeReads(server);
    const with_ = (expression: string) => `    inputs: { text: "{{ ${expression} }}" }\n`;
    await server.saveFlow(aFlow(down, inputs + where(filter, with_('trigger.executionId'))));
    const first = await server.start(up);
    await expect.poll(() => executionsOf(server, down)).toHaveLength(1);
    expect(reads(first.id)).toBe(0);
    await server.saveFlow(aFlow(looking, inputs + where(filter, with_('outputs.say.value'))));
    const second = await server.start(up);
    await expect.poll(() => executionsOf(server, looking)).toHaveLength(1);
    expect(reads(second.id)).toBe(1);
    expect((await executionsOf(server, looking))[0]?.inputs).toEqual({ text: 'hello' });
  });

  it('and the stream of dependencies read executions without their task runs', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id));
    const { id: executionId } = await server.run(id);
    const reads = wholeReads(server);
    const { app } = server;
    const origin = app.server.listening
      ? app.listeningOrigin
      : await app.listen({ host: '127.0.0.1', port: 0 });
    const stream = await readStream(`${origin}/api/v1/main/executions/${executionId}/follow-dependencies`);
    expect((await stream.all()).at(-1)?.id).toBe('end-all');
    expect(reads(executionId)).toBe(0);
  });
});
