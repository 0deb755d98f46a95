import { executions, type MetricEntry, metrics } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { anExecution, aTaskRun } from '../../../testing/factories.ts';
import { fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderAt } from '../../../testing/renderAt.tsx';

const page = '/executions/shop.orders/nightly/exec1/metrics';
const aMetric = (changes: Partial<MetricEntry>): MetricEntry => ({
  namespace: 'shop.orders',
  flowId: 'nightly',
  taskId: 'load',
  taskRunId: 'run1',
  type: 'counter',
  name: 'rows',
  value: 48210,
  timestamp: '2026-03-01T02:00:00Z',
  deleted: false,
  ...changes,
});

it('S1-1.7 lists what the tasks reported: numbers as numbers, timers as durations', async () => {
  const results = [
    aMetric({ tags: { region: 'eu' } }),
    aMetric({ type: 'timer', name: 'copy', value: 12_000 }),
  ];
  const server = fakeServer(
    reply(executions.getExecution, () => anExecution({ taskRunList: [aTaskRun()] })),
    reply(metrics.searchMetrics, () => ({ results, total: 2 })),
  );
  const { user } = renderAt(`${page}?taskRunId=run1`);
  await screen.findByText('48,210');
  const rows = [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  );
  expect(rows).toEqual([
    ['load', 'rows', '48,210', 'region eu'],
    ['load', 'copy', '12.0 s', ''],
  ]);
  expect(server.to(metrics.searchMetrics)[0]?.query.get('taskRunId')).toBe('run1');
  await user.click(screen.getByRole('button', { name: 'Show the metrics of every task run' }));
  await waitFor(() => expect(server.to(metrics.searchMetrics)).toHaveLength(2));
  expect(server.to(metrics.searchMetrics)[1]?.query.get('taskRunId')).toBeNull();
});

it('says so when nothing was reported', async () => {
  fakeServer(
    reply(executions.getExecution, () => anExecution()),
    reply(metrics.searchMetrics, () => ({ results: [], total: 0 })),
  );
  renderAt(page);
  await screen.findByText('No metrics');
});
