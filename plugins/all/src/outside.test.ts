import { createServer, type Socket } from 'node:net';
import { createOutboundClient, type Definition, messageOf, type OutboundClient } from '@millrace/plugin-kit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { canRun, type Outside, runExamples } from './testing/runExample.ts';
import { createFullCatalogue, firstOfEachGroup } from './testing.ts';

/*
 * Checks of every task and trigger that reaches out: its examples run against a server that never responds, a port
 * where nothing listens, and a service that refuses the credentials.
 */

// All types run in one test each, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const catalogue = createFullCatalogue();
const wanted = new RegExp(process.env.MILLRACE_TEST_TYPES ?? '');
const types = catalogue
  .definitions()
  .filter((definition) => canRun(definition) && !definition.isInner && wanted.test(definition.type));

/** For errors that all types of a group report in the same way. */
const someTypes = firstOfEachGroup(catalogue, types, 3);

/** How far an example came: it ended by itself without the network, or with it, or it was killed. */
type Outcome = { readonly kind: 'inside' | 'ended' | 'killed' | 'wrong'; readonly text: string };

const problems = (
  tried: readonly Definition[],
  outcomes: readonly Outcome[],
  isWrong: (outcome: Outcome) => boolean,
): string[] =>
  outcomes.flatMap((outcome, index) => (isWrong(outcome) ? `${tried[index]?.type}: ${outcome.text}` : []));

test('a killed task or trigger ends within two seconds and closes its connections', async () => {
  const outcomes = await inGroups(types, 48, killWhileSilent);
  expect(problems(types, outcomes, ({ kind }) => kind === 'wrong')).toEqual([]);
  const inside = problems(types, outcomes, ({ kind, text }) => kind === 'inside' && !staysInside.test(text));
  expect(inside.filter((line) => !computes.test(line))).toEqual([]);
});

test('a server that is not there fails the task with a sentence that says so', async () => {
  const server = await aSilentServer();
  await server.close();
  const client = createOutboundClient();
  onTestFinished(() => client.close());
  const outcomes = await inGroups(someTypes, 48, (definition) =>
    runToEnd(definition, server.port, (signal) => aNetworkTo(server.port, client, signal)),
  );
  const isWrong = ({ kind, text }: Outcome) =>
    kind === 'wrong' || (kind === 'ended' && (!/refused/i.test(text) || nonsense.test(text)));
  expect(problems(someTypes, outcomes, isWrong).filter((line) => !toleratesFailure.test(line))).toEqual([]);
});

test('a service that refuses the credentials fails the task with a sentence that says so', async () => {
  const outcomes = await inGroups(someTypes, 48, (definition) =>
    runToEnd(definition, 9, () => ({
      fetch: async ({ url }) => ({
        status: 401,
        url,
        headers: { 'content-type': ['application/json'] },
        body: refusal(),
      }),
    })),
  );
  const isWrong = ({ kind, text }: Outcome) =>
    kind === 'wrong' ||
    (kind === 'ended' && (!/401|unauthor|credential|denied/i.test(text) || nonsense.test(text)));
  expect(problems(someTypes, outcomes, isWrong).filter((line) => !toleratesFailure.test(line))).toEqual([]);
});

/** Datagrams have no connection, Event Hubs are tried again as their properties say, and Delete lists what failed. */
const toleratesFailure = /^(snmp\.|fs\.udp\.|azure\.eventhubs\.|meta\.facebook\.posts\.Delete)/;

async function* refusal(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"message":"Invalid credentials","error":"unauthorized"}');
}

/** Texts of values that have none. */
const nonsense = /undefined|\[object|NaN\b|^\s*$|: $/;

/** Runs the examples of a type until one uses the network, and returns how that one ended. */
async function runToEnd(
  definition: Definition,
  port: number,
  network: (signal: () => AbortSignal) => Outside,
): Promise<Outcome> {
  const isRealtime = definition.kind === 'trigger' && definition.listen !== undefined;
  let last = 'it has no example';
  let isReached = false;
  const outside = (signal: () => AbortSignal): Outside => {
    const { connect, fetch, lookup } = network(signal);
    const reach = <A extends unknown[], R>(call: (...args: A) => R) => {
      return (...args: A): R => {
        isReached = true;
        return call(...args);
      };
    };
    return {
      ...common,
      ...(connect && { connect: reach(connect) }),
      ...(fetch && { fetch: reach(fetch) }),
      ...(lookup && { lookup: reach(lookup), mayReach: async () => {} }),
    };
  };
  for await (const { context, ended } of runExamples(definition, port, outside)) {
    const end = follow(ended);
    const isEnded = await ticks(isRealtime ? 10 : 150, () => end.text !== undefined);
    if (!isReached && isEnded) {
      last = end.text ?? '';
      continue;
    }
    context.kill();
    // A realtime trigger tries again until it is stopped.
    if (!isEnded)
      return isRealtime
        ? { kind: 'killed', text: '' }
        : { kind: 'wrong', text: 'it still runs after 15 seconds' };
    return { kind: 'ended', text: end.text ?? '' };
  }
  return { kind: 'inside', text: last };
}

/** Families whose types compute, or work on files of this server. */
const computes =
  /^(core|serdes|compress|crypto|transform|datagen|kestra|graalvm)\.|^(ldap\.(IonToLdif|LdifToIon)|stripe\.webhook\.HandleEvent|aws\.auth\.EksToken|azure\.storage\.\w+\.SharedAccess|fs\.(tcp|udp)\.Send|snmp\.\w+|\w+\.Bulk): /;

/** Reasons for which an example cannot reach out in a test. */
const staysInside =
  /no Docker or Podman|not in a Kubernetes cluster|cannot be reached from this server|cannot be captured|Files of the worker are closed|"session.secureBundle" cannot be used/;

/** Starts the examples of a type until one reaches a server that never responds, and kills it then. */
async function killWhileSilent(definition: Definition): Promise<Outcome> {
  const server = await aSilentServer();
  const client = createOutboundClient();
  let isReached = false;
  const outside = (signal: () => AbortSignal): Outside => {
    const hang = <T>(end: () => T): Promise<T> => {
      isReached = true;
      return new Promise((resolve) => {
        if (signal().aborted) resolve(end());
        else signal().addEventListener('abort', () => resolve(end()));
      });
    };
    return {
      ...common,
      ...aNetworkTo(server.port, client, signal),
      spawn: () =>
        hang(() => ({ exitCode: null, signal: 'SIGTERM', droppedBytes: { stdout: 0, stderr: 0 } })),
      runNested: async () => {
        await hang(() => {});
        throw new Error('The nested task was killed.');
      },
    };
  };
  let last = 'it has no example';
  try {
    for await (const { context, ended } of runExamples(definition, server.port, outside)) {
      const end = follow(ended);
      await ticks(50, () => end.text !== undefined || isReached || server.hasClient());
      if (end.text !== undefined && !isReached && !server.hasClient()) {
        last = end.text;
        continue;
      }
      context.kill();
      if (!(await ticks(20, () => end.text !== undefined)))
        return { kind: 'wrong', text: 'it still runs two seconds later' };
      if (!(await ticks(40, () => !server.hasOpen())))
        return { kind: 'wrong', text: `its connection stays open (${end.text})` };
      return { kind: 'killed', text: end.text ?? '' };
    }
    return { kind: 'inside', text: last };
  } finally {
    client.close();
    await server.close();
  }
}

const common: Outside = {
  findType: (type) => catalogue.find(type)?.definition,
  variables: { execution: { id: 'execution1' }, labels: {}, flow: { id: 'a_flow' } },
  actions: {
    findExecution: async (id) => ({
      id,
      tenantId: 'main',
      namespace: 'company.team',
      flowId: 'a_flow',
      state: 'FAILED',
      startDate: '2026-01-31T00:00:00Z',
      labels: [],
    }),
  },
};

/** The text of the end, once there is one. */
function follow(ended: Promise<unknown>): { text: string | undefined } {
  const end: { text: string | undefined } = { text: undefined };
  ended.then(
    (outputs) => {
      end.text = `returned ${JSON.stringify(outputs)}`;
    },
    (error) => {
      end.text = messageOf(error);
    },
  );
  return end;
}

/** Every host is the server of the test, whatever its name and port. */
const aNetworkTo = (port: number, client: OutboundClient, signal: () => AbortSignal): Outside => ({
  connect: ({ timeoutMs, ...request }) =>
    client.connect({
      host: '127.0.0.1',
      port,
      signal: request.signal ?? signal(),
      ...(timeoutMs !== undefined && { timeoutMs }),
    }),
  fetch: ({ proxy: _, certificates: __, ...request }) => {
    const { pathname, search } = new URL(request.url);
    return client.send({
      ...request,
      url: `http://127.0.0.1:${port}${pathname}${search}`,
      signal: request.signal ?? signal(),
    });
  },
  mayReach: async () => {},
  lookup: (_, options, callback) =>
    options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
});

async function aSilentServer() {
  const open = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    count++;
    open.add(socket);
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const socket of open) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(async () => void (await close()));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  return { port: address.port, close, hasClient: () => count > 0, hasOpen: () => open.size > 0 };
}

/** Waits until the condition holds, at most this many tenths of a second in which this process could work. */
async function ticks(count: number, isDone: () => boolean): Promise<boolean> {
  for (let tick = 0; tick < count && !isDone(); tick++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return isDone();
}

/** Runs this many at a time. */
async function inGroups<T, R>(items: readonly T[], size: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await run(item);
    }
  };
  await Promise.all(Array.from({ length: size }, work));
  return results;
}
