import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { aFlow } from '../testing/aFlow.ts';
import { aServer } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';
import { createMetrics } from './metrics.ts';

const Dashboard = z.object({
  title: z.string(),
  panels: z
    .array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) }))
    .min(1),
  templating: z.object({
    list: z.array(
      z.object({ name: z.string(), query: z.union([z.string(), z.object({ query: z.string() })]) }),
    ),
  }),
});

it('the dashboard in docs asks only for metrics and labels that a server has', async () => {
  const text = readFileSync(new URL('../../../../docs/grafana-dashboard.json', import.meta.url), 'utf8');
  const { panels, templating } = Dashboard.parse(JSON.parse(text));
  const server = await aServer(sqlite);
  await server.saveFlow(aFlow('drawn'));
  await server.run('drawn');
  const { body } = await createMetrics(server.product).readText();
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const names = new Set(lines.map((line) => line.replace(/[{ ].*$/, '')));
  const labels = new Set(['instance', ...[...body.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name)]);
  const queries = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...templating.list.map(({ query }) => (typeof query === 'string' ? '' : query.query)),
  ];
  const used = queries.flatMap((query) => query.match(/\b(?:millrace|process|nodejs)_\w+/g) ?? []);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
  const usedLabels = queries.flatMap((query) => [
    ...[...query.matchAll(/(\w+)(?:=~|=)"/g)].map(([, name = '']) => name),
    ...[...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
  ]);
  expect(usedLabels.filter((name) => !labels.has(name))).toEqual([]);
});
