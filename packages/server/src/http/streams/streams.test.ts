import type { Execution } from '@millrace/contract';
import type { StoreChange } from '@millrace/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';
import { readStream } from '../../testing/readStream.ts';
import { arrivals, openDoor } from '../../testing/testTasks.ts';

const fourTasks = (door: string) => `tasks:
  - id: wait
    type: test.Door
    door: ${door}
  - id: one
    type: core.log.Log
    message: one
  - id: two
    type: core.log.Log
    message: two
  - id: three
    type: core.log.Log
    message: three
`;

describe.each(databases)('event streams on $name (api 1.9)', (database) => {
  const shared = sharedServer(database);
  const listen = async () => {
    const { app } = shared();
    return app.server.listening ? app.listeningOrigin : app.listen({ host: '127.0.0.1', port: 0 });
  };

  it('a large execution is sent now and then, and whole at its end', async () => {
    const [server, id, origin] = [shared(), anId(), await listen()];
    const loop = `tasks:
  - id: wait
    type: test.Door
    door: ${id}
  - id: each
    type: core.flow.ForEach
    values: "{{ range(1, 500) }}"
    concurrencyLimit: 1
    tasks:
      - id: some
        type: core.log.Log
        message: some
`;
    await server.saveFlow(aFlow(id, loop));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const stream = await readStream(`${origin}/api/v1/executions/${executionId}/follow`);
    openDoor(id);
    const frames = await stream.all();
    const sizes = frames.map(({ data }) => (data as Partial<Execution>).taskRunList?.length ?? 0);
    expect(frames.at(-1)).toMatchObject({ id: 'end', data: { state: { current: 'SUCCESS' } } });
    expect(sizes.at(-1)).toBe(502);
    // Three hundred iterations remain at this size, each with its own changes.
    expect(sizes.filter((size) => size > 200).length).toBeLessThan(200);
  });

  it('[S2-7e.23] streams each log entry once, stored ones first', async () => {
    const [server, id, origin] = [shared(), anId(), await listen()];
    await server.saveFlow(
      aFlow(
        id,
        `tasks:\n  - id: before\n    type: core.log.Log\n    message: before\n${fourTasks(id).slice(7)}`,
      ),
    );
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const stream = await readStream(`${origin}/api/v1/logs/${executionId}/follow?minLevel=INFO`);
    const stored = await stream.take(2);
    expect(stored.map((frame) => [frame.id, frame.data.message])).toEqual([
      ['start', undefined],
      ['progress', 'before'],
    ]);
    openDoor(id);
    const rest = await stream.take(3);
    expect(rest.map((frame) => frame.data.message)).toEqual(['one', 'two', 'three']);
    await stream.close();
  });

  it('follows a log on after changes of other processes may have been missed', async () => {
    const [server, id, origin] = [shared(), anId(), await listen()];
    await server.saveFlow(aFlow(id, fourTasks(id)));
    const { store } = server.product;
    const onChange = store.onChange;
    onTestFinished(() => {
      store.onChange = onChange;
    });
    const listeners: ((change: StoreChange) => void)[] = [];
    // Nothing is announced but the gap, as after a lost connection.
    store.onChange = (listener) => {
      listeners.push(listener);
      return () => {};
    };
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const stream = await readStream(`${origin}/api/v1/logs/${executionId}/follow`);
    await stream.take(1);
    await expect.poll(() => listeners.length).toBeGreaterThan(0);
    openDoor(id);
    await expect.poll(async () => (await store.listLogs({ executionId })).length).toBe(3);
    const nothing = { executionIds: [], logExecutionIds: [], flows: [], templates: [] };
    for (const listener of listeners) listener({ ...nothing, hasGap: true });
    expect((await stream.take(3)).map((frame) => frame.data.message)).toEqual(['one', 'two', 'three']);
    await stream.close();
  });

  it('[A19] waits no longer for an end that the client has stopped waiting for', async () => {
    const [server, id, origin] = [shared(), anId(), await listen()];
    await server.saveFlow(aFlow(id, fourTasks(id)));
    const client = new AbortController();
    const request = { method: 'POST', signal: client.signal };
    const waiting = fetch(`${origin}/api/v1/executions/company.team/${id}?wait=true`, request);
    await expect.poll(() => server.product.executor.awaitedCount).toBe(1);
    client.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => server.product.executor.awaitedCount).toBe(0);
    openDoor(id);
  });

  it('[A19] forgets followers that leave', async () => {
    const [server, id, origin] = [shared(), anId(), await listen()];
    await server.saveFlow(aFlow(id, fourTasks(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => readStream(`${origin}/api/v1/executions/${executionId}/follow`)),
    );
    await Promise.all(streams.map((stream) => stream.take(2)));
    expect(server.product.watchers.isWatched(executionId)).toBe(true);
    await Promise.all(streams.map((stream) => stream.close()));
    await expect.poll(() => server.product.watchers.isWatched(executionId)).toBe(false);
    openDoor(id);
  });
});
