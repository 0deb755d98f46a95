import { type InstanceServer, instance, type MaintenanceView, product } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { aConfiguration, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The first test must not wait for the compilation of the page.
beforeAll(() => import('./InstancePage.tsx'), 60_000);

const at = '2026-01-01T10:00:00Z';
const aServer = (changes: Partial<InstanceServer> = {}): InstanceServer => ({
  id: 'server-1',
  isSelf: true,
  state: 'RUNNING',
  roles: ['api', 'executor', 'worker', 'scheduler'],
  version: '1.2.3',
  host: 'mill',
  pid: 42,
  startedAt: at,
  heartbeatAt: at,
  worker: {
    slots: 16,
    running: 1,
    waiting: 3,
    tasks: [
      {
        executionId: 'e1',
        namespace: 'company.team',
        flowId: 'load',
        taskRunId: 't1',
        taskId: 'copy',
        type: 'core.flow.Sleep',
        attempt: 1,
        startedAt: at,
      },
    ],
  },
  ...changes,
});

it('O-10.1 O-10.2 O-10.7 the Servers tab lists servers and running tasks, marks lost ones, and drains a worker', async () => {
  let state: InstanceServer['state'] = 'RUNNING';
  const { worker } = aServer();
  const [task] = worker?.tasks ?? [];
  const lost = aServer({
    id: 'server-2',
    isSelf: false,
    state: 'LOST',
    ...(worker &&
      task && { worker: { ...worker, tasks: [{ ...task, executionId: 'e2', taskRunId: 't2' }] } }),
  });
  const { requests } = fakeServer(
    reply(instance.listServers, () => ({ results: [aServer({ state }), lost] })),
    reply(instance.drainWorker, () => {
      state = 'DRAINING';
      return aServer({ state });
    }),
  );
  const { user } = renderAt('/admin/stats/servers');
  const row = await screen.findByRole('row', { name: /this server/ });
  expect(row.textContent).toContain('1 of 16 slots');
  expect(row.textContent).toContain('3 waiting');
  const lostRow = screen.getByRole('row', { name: /server-2/ });
  expect(lostRow.textContent).toContain('Lost');
  expect(within(lostRow).queryByRole('button', { name: 'Drain' })).toBeNull();
  // Its tasks run elsewhere by now.
  expect(lostRow.textContent).not.toContain('slots');
  expect(screen.queryByRole('link', { name: 'e2' })).toBeNull();
  const execution = screen.getByRole('link', { name: 'e1' });
  expect(execution.getAttribute('href')).toContain('/executions/company.team/load/e1');

  await user.click(within(row).getByRole('button', { name: 'Drain' }));
  const dialog = await screen.findByRole('dialog', { name: 'Drain worker?' });
  expect(dialog.textContent).toContain('takes no new tasks');
  await user.click(within(dialog).getByRole('button', { name: 'Drain' }));
  await screen.findByText('Draining');
  expect(requests.some(({ path }) => path.endsWith('/instance/servers/server-1/drain'))).toBe(true);
});

it('O-10.9 maintenance shows its message and who started it on every page, until it ends', async () => {
  let maintenance: MaintenanceView = { isActive: false };
  const { requests } = fakeServer(
    reply(instance.listServers, () => ({ results: [aServer()] })),
    reply(instance.getMaintenance, () => maintenance),
    reply(instance.startMaintenance, () => {
      maintenance = {
        isActive: true,
        message: 'Upgrade at noon',
        by: 'ada',
        startedAt: at,
        allowManual: false,
      };
      return maintenance;
    }),
    reply(instance.endMaintenance, () => {
      maintenance = { isActive: false };
      return maintenance;
    }),
  );
  const { user } = renderAt('/admin/stats/servers');
  await user.click(await screen.findByRole('button', { name: 'Start maintenance' }));
  const dialog = await screen.findByRole('dialog', { name: 'Start maintenance?' });
  await user.type(within(dialog).getByRole('textbox', { name: 'Message for all users' }), 'Upgrade at noon');
  await user.click(within(dialog).getByRole('button', { name: 'Start maintenance' }));
  await screen.findByText(/Upgrade at noon/);
  screen.getByText('Started by ada');
  const sent = requests.find(({ method }) => method === 'PUT')?.body;
  expect(JSON.parse(String(sent))).toEqual({
    message: 'Upgrade at noon',
    allowManual: false,
    finishRunning: false,
  });
  await user.click(await screen.findByRole('button', { name: 'End maintenance' }));
  const question = await screen.findByRole('dialog', { name: 'End maintenance?' });
  await user.click(within(question).getByRole('button', { name: 'End maintenance' }));
  await waitFor(() => expect(screen.queryByText(/Upgrade at noon/)).toBeNull());
});

it('the banner is there at once on any page', async () => {
  const maintenance = { isActive: true, message: '', startedAt: at, allowManual: true };
  fakeServer(reply(product.getConfiguration, () => aConfiguration({ maintenance })));
  renderAt('/admin/iam');
  await screen.findByText('Triggers and webhooks start no executions.', { exact: false });
});

it('the banner of a paused scheduler says what does not start', async () => {
  const maintenance = { isActive: false, schedulerPause: { at } };
  fakeServer(reply(product.getConfiguration, () => aConfiguration({ maintenance })));
  renderAt('/admin/iam');
  await screen.findByText('Schedules, polling and realtime triggers start nothing', { exact: false });
});

it('O-10.3 O-10.4 O-10.5 queues, scheduler, health and diagnostics have their tabs', async () => {
  fakeServer(
    reply(instance.getQueues, () => ({
      limits: [{ namespace: 'company.team', flowId: 'load', waiting: 1_200, limit: 2, oldestAt: at }],
      tasks: [{ name: 'millrace:run', waiting: 4, oldestAt: at }],
      commands: { waiting: 0 },
      flowEvents: { waiting: 0 },
      alerts: { waiting: 0 },
    })),
    reply(instance.getScheduler, () => ({
      paused: { at, by: 'ada' },
      overdue: 2,
      latenessMs: 65_000,
      next: [{ namespace: 'company.team', flowId: 'load', triggerId: 'daily', nextAt: at }],
    })),
    reply(instance.getHealth, () => ({
      database: {
        status: 'UP' as const,
        kind: 'SQLite' as const,
        version: '3.50',
        migration: 18,
        sizeBytes: 1_000_000,
      },
      storage: {
        status: 'DOWN' as const,
        type: 'local',
        error: 'A file could not be written and read again.',
      },
      disk: { freeBytes: 5e9, totalBytes: 10e9 },
      forecast: {
        samples: [
          { at, usedBytes: 4e9 },
          { at, usedBytes: 5e9 },
        ],
        growthBytesPerDay: 1e8,
        fullAt: '2030-01-01T00:00:00Z',
      },
      otherDisks: [{ host: 'far-mill', at, freeBytes: 1e9, totalBytes: 2e9, forecast: { samples: [] } }],
    })),
    reply(instance.getRetention, () => ({
      enabled: true,
      everyMs: 600_000,
      rules: [
        { keepMs: 86_400_000, expired: 1_000 },
        { namespace: 'audit', expired: 0 },
      ],
      lastRun: { at, executions: 5, logs: 7, durationMs: 12 },
    })),
    reply(instance.listActions, () => ({ results: [{ at, by: 'ada', action: 'scheduler.pause' as const }] })),
    reply(instance.getLogLevel, () => ({ configured: 'info' as const })),
    reply(instance.listSlowQueries, () => ({
      results: [
        {
          statement: 'SELECT * FROM executions WHERE id = ?',
          count: 2,
          maxMs: 120,
          averageMs: 80,
          lastAt: at,
          ...{ server: 'server-1', host: 'mill' },
        },
        {
          statement: 'SELECT * FROM logs',
          ...{ count: 1, maxMs: 20, averageMs: 20, lastAt: at },
          ...{ server: 'server-2', host: 'far-mill' },
        },
      ],
    })),
  );
  const { user } = renderAt('/admin/stats/work');
  await screen.findByRole('row', { name: /company.team.load.*1,200/ });
  expect(await screen.findByRole('button', { name: 'Resume scheduler' })).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Health' }));
  await screen.findByText('A file could not be written and read again.');
  await screen.findByText('to be removed: 1,000+');
  screen.getByRole('img', { name: /Used space over time/ });
  screen.getByText('Disk of far-mill');
  await user.click(screen.getByRole('link', { name: 'Diagnostics' }));
  await screen.findByText('SELECT * FROM executions WHERE id = ?');
  screen.getByRole('row', { name: /SELECT \* FROM logs.*far-mill/ });
  await screen.findByText('Paused the scheduler');
  await screen.findByDisplayValue('Configured (INFO)');
});
