import { connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { anExecution } from '../suite/records.ts';
import { createTestDatabase } from '../suite/testDatabase.ts';
import { openPostgresStore } from './openPostgresStore.ts';

type Fault = 'response' | 'request';

/** Forwards connections to PostgreSQL, and can lose the next request or its response with the connection. */
async function aRelay(
  url: string,
): Promise<{ url: string; lose(fault: Fault): void; readonly isArmed: boolean }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let armed: Fault | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const close = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', close).on('close', close);
    }
    let isLosing = false;
    client.on('data', (bytes) => {
      const isCommit = bytes.includes('executions');
      if (isCommit && armed === 'request') {
        armed = undefined;
        close();
        return;
      }
      if (isCommit && armed === 'response') {
        armed = undefined;
        isLosing = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      // The first bytes of the response prove that the statement, which is one transaction, has ended.
      if (isLosing) close();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const relayed = new URL(url);
  const address = server.address();
  relayed.hostname = '127.0.0.1';
  relayed.port = String(typeof address === 'object' ? address?.port : '');
  return {
    url: relayed.href,
    lose: (fault) => {
      armed = fault;
    },
    get isArmed() {
      return armed !== undefined;
    },
  };
}

async function aRelayedStore() {
  const database = await createTestDatabase();
  const relay = await aRelay(database.url);
  const store = await openPostgresStore(relay.url, {});
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  return { relay, store };
}

it('a commit whose response is lost is read again and succeeds', async () => {
  const { relay, store } = await aRelayedStore();
  const execution = anExecution();
  relay.lose('response');
  await store.commit([{ op: 'execution.insert', execution }]);
  expect(relay.isArmed).toBe(false);
  expect((await store.getExecution(execution.id))?.version).toBe(1);
});

it('a commit that never arrived is reported as unknown and stores nothing', async () => {
  const { relay, store } = await aRelayedStore();
  const execution = anExecution();
  relay.lose('request');
  await expect(store.commit([{ op: 'execution.insert', execution }])).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(await store.getExecution(execution.id)).toBeUndefined();
});

it('an update whose response is lost is not taken for that of another server', async () => {
  const { relay, store } = await aRelayedStore();
  const execution = anExecution();
  await store.commit([{ op: 'execution.insert', execution }]);
  const labels = [{ key: 'team', value: 'data' }];
  relay.lose('response');
  await store.commit([
    {
      op: 'execution.update',
      execution: { ...execution, labels },
      previousState: execution.state.current,
      expectVersion: 1,
    },
  ]);
  const stored = await store.getExecution(execution.id);
  expect([stored?.version, stored?.execution.labels]).toEqual([2, labels]);
});
