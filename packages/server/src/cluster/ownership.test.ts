import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, stateOf, statesOf, taskRunsOf } from '../testing/aServer.ts';
import { readStream } from '../testing/readStream.ts';
import { severalServers } from '../testing/severalServers.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';

const atDoor = (door: string) => `tasks:
  - id: wait
    type: test.Door
    door: ${door}
  - id: after
    type: core.log.Log
    message: done
`;

const sharingAFolder = (door: string) => `tasks:
  - id: folder
    type: core.flow.WorkingDirectory
    tasks:
      - id: write
        type: scripts.shell.Commands
        commands: ["echo content > file.txt"]
      - id: wait
        type: test.Door
        door: ${door}
      - id: read
        type: scripts.shell.Commands
        commands: ["grep content file.txt"]
`;

describe('several servers on one database', () => {
  const cluster = severalServers();

  it('[A36] an execution stays with the server that created it; the others leave it alone', async () => {
    const [a, b] = [await cluster.start(), await cluster.start()];
    const id = anId();
    await a.saveFlow(aFlow(id, atDoor(id)));
    const { id: executionId } = await a.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const c = await cluster.start();
    expect(await cluster.ownerOf(executionId)).toBe(a.product.membership?.id);
    expect([b, c].map(({ product }) => product.executor.holds(executionId))).toEqual([false, false]);
    openDoor(id);
    await b.waitForState(executionId, 'SUCCESS');
    expect(arrivals(id)).toBe(1);
  });

  it('what a person asks for reaches the owner, on every server, and is answered', async () => {
    const [a, b] = [await cluster.start(), await cluster.start()];
    const id = anId();
    await a.saveFlow(
      aFlow(
        id,
        `tasks:\n  - id: ask\n    type: core.flow.Pause\n  - id: wait\n    type: test.Door\n    door: ${id}\n`,
      ),
    );
    const { id: executionId } = await a.start(id);
    await b.waitForState(executionId, 'PAUSED');
    expect((await b.call('POST', `/executions/${executionId}/resume`)).status).toBe(204);
    await expect.poll(() => arrivals(id)).toBe(1);
    // Only the owner can tell, so the refusal has come from there.
    const refused = await b.call('POST', `/executions/${executionId}/unqueue`);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('QUEUED')]);
    expect((await b.call('DELETE', `/executions/${executionId}/kill`)).status).toBe(202);
    const killed = await b.waitForState(executionId, 'KILLED');
    expect(statesOf(killed)).toEqual([
      'CREATED',
      'RUNNING',
      'PAUSED',
      'RESTARTED',
      'RUNNING',
      'KILLING',
      'KILLED',
    ]);
    expect(await cluster.ownerOf(executionId)).toBe(a.product.membership?.id);
    const labelled = await b.call('POST', `/executions/${executionId}/labels`, {
      payload: [{ key: 'team', value: 'x' }],
    });
    expect(labelled.status).toBe(200);
    expect(JSON.stringify(labelled.body)).toContain('"team"');
    expect(await cluster.messages()).toBe(0);
  });

  it('[S2-7e.22] an execution can be followed and waited for on a server that does not run it', async () => {
    const [a, b] = [await cluster.start(), await cluster.start()];
    const id = anId();
    await a.saveFlow(aFlow(id, atDoor(id)));
    const { id: executionId } = await a.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const origin = await b.app.listen({ host: '127.0.0.1', port: 0 });
    const stream = await readStream(`${origin}/api/v1/executions/${executionId}/follow`);
    await stream.take(2);
    openDoor(id);
    const rest = await stream.all();
    expect(rest.at(-1)).toMatchObject({ id: 'end', data: { state: { current: 'SUCCESS' } } });
  });

  it('[A35] a server that misses heartbeats is marked dead, and other servers resume its executions', async () => {
    const [a, b] = [await cluster.start(), await cluster.start()];
    const id = anId();
    await a.saveFlow(aFlow(id, atDoor(id)));
    const { id: executionId } = await a.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    // As a machine that hangs: it does not beat any more, but it does not know that it is dead.
    await a.product.membership?.stop();
    await expect.poll(() => arrivals(id)).toBe(2);
    expect(await cluster.ownerOf(executionId)).toBe(b.product.membership?.id);
    openDoor(id);
    const execution = await b.waitForState(executionId, 'SUCCESS');
    const attempts = (taskRunsOf(execution)[0]?.attempts ?? []) as Record<string, unknown>[];
    // The dead server's task has ended too by now; its result is ignored.
    expect(attempts.map(stateOf)).toEqual(['KILLED', 'SUCCESS']);
    expect(statesOf(execution)).toEqual(['CREATED', 'RUNNING', 'SUCCESS']);
    await expect.poll(() => a.product.executor.holds(executionId)).toBe(false);
  });

  it('a server that stops hands its executions over at once', async () => {
    const [a, b] = [await cluster.start(), await cluster.start()];
    const id = anId();
    await a.saveFlow(aFlow(id, atDoor(id)));
    const { id: executionId } = await a.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await a.close(0);
    await expect.poll(() => arrivals(id)).toBe(2);
    openDoor(id);
    await b.waitForState(executionId, 'SUCCESS');
  });

  it('children, limits and deletion work across servers: the next in line starts (users ask C)', async () => {
    const [a, b] = [await cluster.start(), await cluster.start()];
    const [limited, parent] = [anId(), anId()];
    await a.saveFlow(aFlow(limited, `concurrency: { limit: 1 }\n${atDoor(limited)}`));
    await a.saveFlow(
      aFlow(
        parent,
        `tasks:\n  - id: call\n    type: core.flow.Subflow\n    namespace: company.team\n    flowId: ${limited}\n`,
      ),
    );
    const first = await a.start(limited);
    await expect.poll(() => arrivals(limited)).toBe(1);
    const second = await b.start(limited);
    await a.waitForState(second.id, 'QUEUED');
    const caller = await b.start(parent);
    // Killing the execution that runs on the other server frees the slot for the next.
    expect((await b.call('DELETE', `/executions/${first.id}/kill`)).status).toBe(202);
    await a.waitForState(first.id, 'KILLED');
    await b.waitForState(second.id, 'RUNNING');
    await expect.poll(() => arrivals(limited)).toBe(2);
    // So does deleting an execution through a server that does not own it.
    expect((await a.call('DELETE', `/executions/${second.id}`)).status).toBe(204);
    await expect.poll(() => arrivals(limited)).toBe(3);
    openDoor(limited);
    await a.waitForState(caller.id, 'SUCCESS');
  });

  it('[A35] claimed executions continue although the response of the database got lost', async () => {
    const [a, b] = [await cluster.start(), await cluster.start()];
    const id = anId();
    await a.saveFlow(aFlow(id, atDoor(id)));
    const { id: executionId } = await a.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    const others = b.product.store.cluster;
    if (!others) throw new Error('These servers share a database.');
    const claim = others.claim.bind(others);
    let lost = 0;
    others.claim = async (...args) => {
      const claimed = await claim(...args);
      if (claimed.length > 0 && lost++ === 0) throw new Error('the answer got lost');
      return claimed;
    };
    await a.product.membership?.stop();
    await expect.poll(() => arrivals(id)).toBe(2);
    expect(lost).toBe(1);
    openDoor(id);
    await b.waitForState(executionId, 'SUCCESS');
  });

  it('the end of a child reaches a parent on another server, whichever server crashes right after it', async () => {
    const [a, b] = [await cluster.start(), await cluster.start()];
    const [child, parent] = [anId(), anId()];
    await a.saveFlow(aFlow(child, atDoor(child)));
    await a.saveFlow(
      aFlow(
        parent,
        `tasks:\n  - id: call\n    type: core.flow.Subflow\n    namespace: company.team\n    flowId: ${child}\n`,
      ),
    );
    const caller = await a.start(parent);
    await expect.poll(() => arrivals(child)).toBe(1);
    // As after the loss of a server whose executions different ones have claimed.
    await cluster.query(
      `WITH moved AS (UPDATE executions SET owner = $1, version = version + 1 WHERE flow_id = $2 RETURNING id)
       INSERT INTO execution_messages (id, execution_id, owner, body) SELECT 'moved', id, $1, '{"kind":"adopt"}' FROM moved`,
      [b.product.membership?.id, child],
    );
    await expect.poll(() => arrivals(child)).toBe(2);
    // The notification after the commit of the end gets lost.
    const { executor } = b.product;
    const tell = executor.notify.bind(executor);
    executor.notify = (executionId, event) => {
      if (executionId !== caller.id) tell(executionId, event);
    };
    openDoor(child);
    await a.waitForState(caller.id, 'SUCCESS');
  });

  it('[A35] servers whose clocks are days apart expire no live server, take over from dead ones, and time never runs backwards', async () => {
    const day = 86_400_000;
    const [early, late] = [
      await cluster.startAt(() => Date.now() - day),
      await cluster.startAt(() => Date.now() + day),
    ];
    const id = anId();
    const nap = 'tasks:\n  - id: nap\n    type: core.flow.Pause\n    pauseDuration: PT0.2S\n';
    await early.saveFlow(aFlow(id, atDoor(id).replace('tasks:\n', nap)));
    const started = [await early.start(id), await late.start(id)];
    await expect.poll(() => arrivals(id)).toBe(2);
    const alive = early.product.membership?.active.map((server) => server.id);
    expect(alive).toEqual(expect.arrayContaining([late.product.membership?.id]));
    // The server whose clock is ahead stops, so the server whose clock is behind takes over.
    await late.product.membership?.stop();
    await expect.poll(() => arrivals(id)).toBe(3);
    openDoor(id);
    for (const { id: executionId } of started) {
      const execution = await early.waitForState(executionId, 'SUCCESS');
      for (const thing of [execution, ...taskRunsOf(execution)]) {
        const dates = (thing.state as { histories: { date: string }[] }).histories.map(({ date }) => date);
        expect([thing.taskId, dates]).toEqual([thing.taskId, [...dates].sort()]);
      }
    }
  });

  it('[E346] tasks that share a folder start over when it is lost with its server, and never work in half of it', async () => {
    const [a, b] = [await cluster.start(), await cluster.start()];
    const id = anId();
    await a.saveFlow(aFlow(id, sharingAFolder(id)));
    const { id: executionId } = await a.start(id);
    await expect.poll(() => arrivals(id)).toBe(1);
    await a.product.membership?.stop();
    await expect.poll(() => arrivals(id)).toBe(2);
    openDoor(id);
    const execution = await b.waitForState(executionId, 'SUCCESS');
    expect(taskRunsOf(execution).map(({ taskId }) => taskId)).toEqual(['folder', 'write', 'wait', 'read']);
    const logs = await b.call('GET', `/logs/${executionId}?minLevel=WARN`);
    expect(JSON.stringify(logs.body)).toContain('was lost with its server; they start over');
    expect(readdirSync(b.product.workFolder)).toEqual([]);
  });
});
