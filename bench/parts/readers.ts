import { setTimeout as wait } from 'node:timers/promises';
import { simpleFlow } from '../flows.ts';
import { Connection } from '../load/connection.ts';
import { generateLoad } from '../load/load.ts';
import { readDurations } from '../measures/durations.ts';
import type { Figures } from '../report/figures.ts';
import { onFreshProduct, type Stage } from './stage.ts';

const readers = 200;
/** Each reader polls its list once a second, like an open page. */
const everyMs = 1_000;
const lists = [
  '/api/v1/executions/search?size=25&sort=state.startDate:desc',
  '/api/v1/executions/search?size=25&namespace=bench&state=SUCCESS',
  '/api/v1/flows/search?size=25',
  '/api/v1/logs/search?size=25',
];

/** The duration of list requests while two hundred users view lists. */
export function measureReaders(stage: Stage): Promise<Figures> {
  const { seconds } = stage.options;
  return onFreshProduct(stage, async (product, api) => {
    stage.say(`${readers} readers of lists`);
    const name = 'listed';
    await api.saveFlow(simpleFlow(name));
    const path = `/api/v1/executions/webhook/bench/${name}/benchmark`;
    await generateLoad({ port: product.port, path, seconds: 2, connections: 10, ratePerSecond: 200 });
    await readDurations(api, name);
    const times = await Promise.all(
      Array.from({ length: readers }, (_, index) =>
        read(product.port, lists[index % lists.length] ?? '', (index / readers) * everyMs, seconds),
      ),
    );
    const sorted = times.flat().sort((a, b) => a - b);
    return { readersP95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN };
  });
}

async function read(port: number, path: string, startMs: number, seconds: number): Promise<number[]> {
  const connection = await Connection.open(port, path);
  const times: number[] = [];
  const begin = performance.now() + startMs;
  try {
    for (let turn = 0; turn < seconds; turn++) {
      await wait(Math.max(0, begin + turn * everyMs - performance.now()));
      const askedAt = performance.now();
      const status = await connection.ask();
      if (status !== 200) throw new Error(`${path} was answered with ${status}.`);
      times.push(performance.now() - askedAt);
    }
    return times;
  } finally {
    connection.close();
  }
}
