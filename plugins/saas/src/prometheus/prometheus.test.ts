import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  aTaskContext,
  type RunningServer,
  realNetwork,
  runType,
  type ServerPlace,
  startRealServer,
} from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prometheusTypes } from './prometheus.ts';

const [query, push, trigger] = prometheusTypes;
if (query?.kind !== 'task' || push?.kind !== 'task' || trigger?.kind !== 'trigger')
  throw new Error('No types');

const answers = async ({ host, port }: ServerPlace) => {
  const { ok } = await fetch(`http://${host}:${port}/-/ready`);
  if (!ok) throw new Error('not ready');
};

let prometheus: RunningServer;
let gateway: RunningServer;

beforeAll(async () => {
  [prometheus, gateway] = await Promise.all([
    startRealServer({
      program: 'prometheus',
      prepare: ({ folder }) => writeFile(join(folder, 'prometheus.yml'), 'global: {}\n'),
      args: ({ host, port, folder }) => [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${host}:${port}`,
      ],
      isReady: answers,
    }),
    startRealServer({
      program: 'prometheus-pushgateway',
      args: ({ host, port }) => [`--web.listen-address=${host}:${port}`],
      isReady: answers,
    }),
  ]);
}, 90_000);
afterAll(async () => {
  await Promise.all([prometheus.stop(), gateway.stop()]);
});

const context = () => aTaskContext(realNetwork());
const url = ({ host, port }: ServerPlace) => `http://${host}:${port}`;
const vector = 'label_replace(vector(2), "team", "data", "", "")';

test('an instant query of a real Prometheus returns its samples', async () => {
  const properties = { url: url(prometheus), query: vector, time: '1700000000', fetchType: 'FETCH' };
  expect(await runType(query, properties, context())).toEqual({
    size: 1,
    total: 1,
    resultType: 'vector',
    metrics: [{ labels: { team: 'data' }, timestamp: 1_700_000_000, value: '2' }],
  });
  const scalar = await runType(
    query,
    { url: url(prometheus), query: '3', fetchType: 'FETCH_ONE' },
    context(),
  );
  expect(scalar).toMatchObject({ resultType: 'scalar', metric: { labels: {}, value: '3' } });
});

test('a wrong query fails in the words of Prometheus', async () => {
  const run = runType(query, { url: url(prometheus), query: 'up{' }, context());
  await expect(run).rejects.toThrow('parse error');
  await expect(run).rejects.toMatchObject({ retry: false });
});

test('metrics are pushed to a real Pushgateway, with characters that need an escape', async () => {
  const metrics = [
    { name: 'rows_loaded', value: '42', labels: { table: 'a "b" \\ c' } },
    { name: 'seconds', value: 1.5 },
  ];
  const properties = { url: url(gateway), job: 'nightly/load', instance: 'one', metrics };
  expect(await runType(push, properties, context())).toEqual({ status: 'success', code: 200 });
  const text = await (await fetch(`${url(gateway)}/metrics`)).text();
  expect(text).toContain('rows_loaded{instance="one",job="nightly/load",table="a \\"b\\" \\\\ c"} 42');
});

test('the trigger starts only when the query has a result', async () => {
  const poll = (text: string) => {
    const properties = { url: url(prometheus), query: text, fetchType: 'FETCH' };
    return trigger.poll?.(context(), trigger.input.parse(properties));
  };
  expect(await poll('vector(1) > 5')).toBeUndefined();
  expect(await poll('vector(7) > 5')).toMatchObject({ total: 1, metrics: [{ value: '7' }] });
});
