import { setTimeout as wait } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { LoadPlan, LoadResult } from './load.ts';

const plan = JSON.parse(process.argv[2] ?? '{}') as LoadPlan;
const connections = await Promise.all(
  Array.from({ length: plan.connections }, () => Connection.open(plan.port, plan.path)),
);
const startedAt = performance.now();
const endsAt = startedAt + plan.seconds * 1000;
let sent = 0;
let answered = 0;
let failed = 0;
const answerTimes: number[] = [];

if (plan.ratePerSecond === undefined) await Promise.all(connections.map(askUntilTheEnd));
else await keepRate(plan.ratePerSecond);

const seconds = (performance.now() - startedAt) / 1000;
answerTimes.sort((a, b) => a - b);
const result: LoadResult = {
  sent,
  answered,
  failed,
  seconds,
  answerP50Ms: answerTimes[Math.floor(answerTimes.length * 0.5)] ?? 0,
  answerP99Ms: answerTimes[Math.floor(answerTimes.length * 0.99)] ?? 0,
};
for (const connection of connections) connection.close();
process.send?.(result, () => process.disconnect());

async function ask(connection: Connection): Promise<void> {
  sent += 1;
  const askedAt = performance.now();
  const status = await connection.ask();
  if (status === 200) {
    answered += 1;
    answerTimes.push(performance.now() - askedAt);
  } else failed += 1;
}

async function askUntilTheEnd(connection: Connection): Promise<void> {
  while (performance.now() < endsAt) await ask(connection);
}

/** Sends requests at a fixed rate even when responses are late: a slow server must not reduce the load. */
async function keepRate(ratePerSecond: number): Promise<void> {
  const open: Promise<void>[] = [];
  while (performance.now() < endsAt) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * ratePerSecond) + 1;
    while (sent < due) {
      const connection = connections[sent % connections.length];
      if (connection) open.push(ask(connection));
    }
    await wait(Math.max(1, Math.min(10, 1000 / ratePerSecond)));
  }
  await Promise.all(open);
}
