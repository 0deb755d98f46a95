import { flows, type LogEntry, logs, stats } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('./LogSearch.tsx')));

const entry: LogEntry = {
  namespace: 'shop.orders',
  flowId: 'nightly',
  taskId: 'load',
  executionId: 'exec1234567',
  attemptNumber: 0,
  timestamp: '2026-03-01T02:00:00Z',
  level: 'ERROR',
  message: 'Could not load\nsecond line',
  deleted: false,
};
const serve = () =>
  fakeServer(
    reply(flows.listNamespaces, () => ['shop.orders']),
    reply(logs.searchLogs, () => ({ results: [entry], total: 1 })),
    reply(stats.getDailyLogs, () => []),
  );

it('S1-2.1.24 S2-3.6 S2-9.3 shows entries newest first from INFO on, each with the way to its execution', async () => {
  const server = serve();
  const { user } = renderAt('/logs');
  const link = await screen.findByRole('link', { name: 'exec1234' });
  expect(link.getAttribute('href')).toBe('/executions/shop.orders/nightly/exec1234567/logs');
  const { query } = server.to(logs.searchLogs)[0]!;
  expect(Object.fromEntries(query)).toMatchObject({
    minLevel: 'INFO',
    timeRange: 'P7D',
    sort: 'timestamp:desc',
  });
  await user.click(screen.getByRole('button', { name: /^Details of/ }));
  await screen.findByText(/second line/);
});

it('O-12.8 O-12.9 opens the first hit of a search among the lines around it', async () => {
  serve();
  renderAt('/logs?q=load');
  await screen.findByRole('button', { name: /^Details of/, expanded: true });
});

it('S2-2s.3 begins at the level of the settings, and a level of the address wins', async () => {
  localStorage.setItem('defaultLogLevel', 'WARN');
  const server = serve();
  const { router } = renderAt('/logs');
  const charted = () => server.to(stats.getDailyLogs).map(({ body }) => JSON.parse(String(body)).logLevel);
  await waitFor(() => expect(server.to(logs.searchLogs)[0]?.query.get('minLevel')).toBe('WARN'));
  // The chart above counts what the list shows.
  await waitFor(() => expect(charted()).toEqual(['WARN']));
  await router.navigate({ to: '/{-$tenant}/logs', search: { level: 'TRACE' } });
  await waitFor(() => expect(server.to(logs.searchLogs).at(-1)?.query.get('minLevel')).toBe('TRACE'));
  await waitFor(() => expect(charted()).toEqual(['WARN', 'TRACE']));
});

it('reads the list and its chart again on refresh', async () => {
  const server = serve();
  const { user } = renderAt('/logs');
  await screen.findByRole('link', { name: 'exec1234' });
  const asked = () => [server.to(logs.searchLogs).length, server.to(stats.getDailyLogs).length];
  await waitFor(() => expect(asked()).toEqual([1, 1]));
  await user.click(screen.getByRole('button', { name: 'Refresh now' }));
  await waitFor(() => expect(asked()).toEqual([2, 2]));
});
