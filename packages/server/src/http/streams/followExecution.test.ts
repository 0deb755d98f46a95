import { connect } from 'node:net';
import type { Execution, StateType } from '@millrace/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readFrames } from '../../cli/client/readFrames.ts';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';
import { type Frame, readStream } from '../../testing/readStream.ts';
import { arrivals, openDoor } from '../../testing/testTasks.ts';

const threeLogs = ['one', 'two', 'three']
  .map((id) => `  - {id: ${id}, type: core.log.Log, message: ${id}}\n`)
  .join('');
const behindDoor = (door: string) => `tasks:\n  - {id: wait, type: test.Door, door: ${door}}\n${threeLogs}`;
const lifeOf = (...subjects: string[]) =>
  subjects.flatMap((subject) => [`${subject} CREATED`, `${subject} RUNNING`, `${subject} SUCCESS`]);

const nested = `tasks:
  - id: each
    type: core.flow.ForEach
    values: [1, 2]
    concurrencyLimit: 2
    tasks:
      - {id: say, type: core.log.Log, message: "{{ taskrun.value }}"}
      - id: choose
        type: core.flow.If
        condition: "{{ taskrun.value == '1' }}"
        then:
          - {id: then, type: core.log.Log, message: then}
  - {id: retried, type: core.execution.Fail, allowFailure: true, retry: {type: constant, interval: PT0.01S, maxAttempts: 2}}
  - {id: ko, type: core.execution.Fail}
errors:
  - {id: repair, type: core.log.Log, message: repair}
finally:
  - {id: last, type: core.log.Log, message: last}
afterExecution:
  - {id: after, type: core.log.Log, message: after}
`;

/** The change of each frame, as `subject STATE`; a frame with more or less than one change fails. */
function changesIn(frames: readonly Frame[]): string[] {
  const counts = new Map<string, number>();
  return frames.slice(1).map(({ data }, index) => {
    const execution = data as unknown as Execution; // What the stream sends.
    const subjects = [
      { name: 'execution', id: 'execution', histories: execution.state.histories },
      ...(execution.taskRunList ?? []).map(({ taskId, id, state }) => ({
        name: taskId,
        id,
        histories: state.histories,
      })),
    ];
    const grown = subjects.filter(({ id, histories }) => histories.length !== (counts.get(id) ?? 0));
    expect(
      grown.map(({ id, histories }) => histories.length - (counts.get(id) ?? 0)),
      `frame ${index + 1} shows one change`,
    ).toEqual([1]);
    for (const { id, histories } of grown) counts.set(id, histories.length);
    return grown.map(({ name, histories }) => `${name} ${histories.at(-1)?.state}`).join();
  });
}

const historiesOf = (execution: Execution) =>
  [execution.state, ...(execution.taskRunList ?? []).map(({ state }) => state)].flatMap(
    ({ histories }) => histories,
  );

/** Runs and ends of parents enclose those of their children, and the views are consistent in themselves. */
function checkViews(frames: readonly Frame[]): void {
  const ended: readonly StateType[] = ['SUCCESS', 'WARNING', 'FAILED'];
  for (const { data } of frames.slice(1)) {
    const { taskRunList = [] } = data as unknown as Execution; // What the stream sends.
    for (const { state, attempts = [], outputs, parentTaskRunId, taskId } of taskRunList) {
      expect(state.histories.at(-1)?.state).toBe(state.current);
      if (state.current === 'CREATED') expect(outputs).toEqual({});
      if (state.current === 'RUNNING' && attempts.length > 0)
        expect(attempts.at(-1)?.state.current).toBe('RUNNING');
      const parent = taskRunList.find(({ id }) => id === parentTaskRunId);
      if (parent && !ended.includes(state.current))
        expect([taskId, parent.state.current]).toEqual([taskId, 'RUNNING']);
    }
  }
}

describe.each(databases)('GET /executions/{id}/follow on $name', (database) => {
  const shared = sharedServer(database);
  const origin = async () => {
    const { app } = shared();
    return app.server.listening ? app.listeningOrigin : app.listen({ host: '127.0.0.1', port: 0 });
  };
  const follow = async (executionId: string, query = '') =>
    readStream(`${await origin()}/api/v1/main/executions/${executionId}/follow${query}`);
  const whole = ['execution CREATED', 'execution RUNNING', ...lifeOf('wait', 'one', 'two', 'three')];

  it('[S2-7e.22] streams every state change of a running execution since its creation, and ends', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, behindDoor(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const stream = await follow(executionId);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const opening = await stream.take(5);
    expect(opening[0]).toEqual({ id: 'start', data: { id: executionId, labels: [], deleted: false } });
    openDoor(id);
    const frames = [...opening, ...(await stream.all())];
    expect(changesIn(frames)).toEqual([...whole, 'execution SUCCESS']);
    expect(frames.slice(1).map((frame) => frame.id)).toEqual([...whole.map(() => 'progress'), 'end']);
    checkViews(frames);
  });

  it('shows every state change of an execution that ended before the client connected', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, `tasks:\n${threeLogs}`));
    const { id: executionId } = await server.run(id);
    const frames = await (await follow(executionId)).all();
    expect(changesIn(frames)).toEqual([
      'execution CREATED',
      'execution RUNNING',
      ...lifeOf('one', 'two', 'three'),
      'execution SUCCESS',
    ]);
    expect(frames.at(-1)?.id).toBe('end');
  });

  it('shows every state change of an execution with very many task runs, and all of them at the end', async () => {
    const [server, id] = [shared(), anId()];
    const values = JSON.stringify(Array.from({ length: 120 }, (_, index) => index));
    const say = '{ id: say, type: core.log.Log, message: hello }';
    await server.saveFlow(
      aFlow(
        id,
        `tasks:\n  - id: each\n    type: core.flow.ForEach\n    values: ${values}\n    concurrencyLimit: 0\n    tasks: [${say}]\n`,
      ),
    );
    const { id: executionId } = await server.start(id);
    const stream = await follow(executionId);
    const frames = (await stream.all()).slice(1).map(({ data }) => data as unknown as Execution); // What the stream sends.
    const last = frames.at(-1);
    expect(last?.taskRunList).toHaveLength(121);
    const seen = new Set(
      frames.flatMap(({ taskRunList = [] }) =>
        taskRunList.map(({ id: taskRunId, state }) => `${taskRunId} ${state.current}`),
      ),
    );
    const missed = (last?.taskRunList ?? []).flatMap(({ id: taskRunId, state }) =>
      state.histories.map((entry) => `${taskRunId} ${entry.state}`).filter((change) => !seen.has(change)),
    );
    expect(missed).toEqual([]);
    expect(frames.map(({ taskRunTotal = 0 }) => taskRunTotal)).toContain(121);
    // A client with `history=false` gets only complete views.
    const drawn = (await (await follow(executionId, '?history=false')).all()).slice(1);
    expect(drawn.map(({ data }) => (data as unknown as Execution).taskRunList?.length)).toEqual([121]);
  });

  it('misses and repeats nothing of fast executions that are followed while they run', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, nested));
    for (let round = 0; round < 4; round++) {
      const { id: executionId } = await server.start(id);
      const frames = await (await follow(executionId)).all();
      const changes = changesIn(frames);
      const execution = (await server.read(executionId)) as unknown as Execution; // As getExecution replies.
      expect(changes).toHaveLength(historiesOf(execution).length);
      expect(changes.slice(0, 4)).toEqual([
        'execution CREATED',
        'execution RUNNING',
        'each CREATED',
        'each RUNNING',
      ]);
      for (const task of ['retried', 'ko', 'repair', 'last', 'after'])
        expect(changes).toContain(`${task} CREATED`);
      expect(changes.indexOf('each SUCCESS')).toBeLessThan(changes.indexOf('retried CREATED'));
      checkViews(frames);
    }
  });

  it('begins with the current state when the client does not want the history', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, behindDoor(id)));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const stream = await follow(executionId, '?history=false');
    const [, current] = await stream.take(2);
    expect(current).toMatchObject({ id: 'progress', data: { state: { current: 'RUNNING' } } });
    openDoor(id);
    // The first task ends, three others are created, start and end, the execution ends.
    expect(await stream.all()).toHaveLength(11);
    const again = await (await follow(executionId, '?history=false')).all();
    expect(again.map((frame) => frame.id)).toEqual(['start', 'end']);
  });

  it('shows the whole history again to a client that reconnects', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, behindDoor(id)));
    const { id: executionId } = await server.start(id);
    const first = await follow(executionId);
    await first.take(3);
    await first.close();
    openDoor(id);
    for (let round = 0; round < 3; round++) {
      const frames = await (await follow(executionId)).all();
      expect(changesIn(frames)).toEqual([...whole, 'execution SUCCESS']);
    }
  });

  it('shows a restart after the history of the first run', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(aFlow(id, 'tasks:\n  - {id: ko, type: core.execution.Fail}\n'));
    const { id: executionId } = await server.run(id);
    expect((await server.call('POST', `/executions/${executionId}/restart`)).status).toBe(200);
    const changes = changesIn(await (await follow(executionId)).all());
    const run = ['ko CREATED', 'ko RUNNING', 'ko FAILED'];
    expect(changes.slice(0, 6)).toEqual([
      'execution CREATED',
      'execution RUNNING',
      ...run,
      'execution FAILED',
    ]);
    expect(changes.at(-1)).toBe('execution FAILED');
  });

  it('shows task runs that a restart or the next round of a loop removed, until they were removed', async () => {
    const [server, id] = [shared(), anId()];
    const tasks = `tasks:
  - id: until
    type: core.flow.LoopUntil
    condition: "{{ outputs.until.iterationCount >= 2 }}"
    checkFrequency: { interval: PT0.01S }
    tasks: [{ id: round, type: core.log.Log, message: hello }]
  - { id: ko, type: core.execution.Fail }
finally:
  - { id: last, type: core.log.Log, message: last }
`;
    await server.saveFlow(aFlow(id, tasks));
    const { id: executionId } = await server.start(id);
    const live = changesIn(await (await follow(executionId)).all());
    expect((await server.call('POST', `/executions/${executionId}/restart`)).status).toBe(200);
    await server.waitForState(executionId, 'FAILED');
    const frames = await (await follow(executionId)).all();
    const changes = changesIn(frames);
    expect(changes.slice(0, live.length)).toEqual(live);
    expect(changes.filter((change) => change === 'round SUCCESS')).toHaveLength(2);
    expect(changes.filter((change) => change === 'last CREATED')).toHaveLength(2);
    checkViews(frames);
    const lists = frames.slice(1).map(({ data }) => (data as unknown as Execution).taskRunList ?? []);
    for (const list of lists)
      for (const task of ['round', 'last'])
        expect(list.filter(({ taskId }) => taskId === task).length).toBeLessThanOrEqual(1);
  });

  it('waits for a slow reader instead of leaving changes out', async () => {
    const [server, id] = [shared(), anId()];
    const large = `variables:\n  text: "${'x'.repeat(200_000)}"\n`;
    await server.saveFlow(aFlow(id, `${large}${behindDoor(id)}`));
    const { id: executionId } = await server.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const socket = connect(Number(new URL(await origin()).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write(`GET /api/v1/executions/${executionId}/follow HTTP/1.0\r\nHost: localhost\r\n\r\n`);
    await expect.poll(() => server.product.watchers.isWatched(executionId)).toBe(true);
    openDoor(id);
    await server.waitForState(executionId, 'SUCCESS');
    const frames: Frame[] = [];
    // The client starts to read when everything has happened, one chunk at a time.
    for await (const frame of readFrames(chunksOf(socket))) frames.push(frame);
    expect(changesIn(frames)).toEqual([...whole, 'execution SUCCESS']);
  });
});

/** The body of a response on a plain connection. */
async function* readBody(socket: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: string | undefined = '';
  for await (const chunk of socket) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head += Buffer.from(chunk).toString('latin1');
    const end: number = head.indexOf('\r\n\r\n');
    if (end < 0) continue;
    yield Buffer.from(head.slice(end + 4), 'latin1');
    head = undefined;
  }
}
const chunksOf = (socket: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  ReadableStream.from(readBody(socket)) as ReadableStream<Uint8Array>;
