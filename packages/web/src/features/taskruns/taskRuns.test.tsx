import { flows, product, taskRuns } from '@millrace/contract';
import { screen } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { aTaskRun } from '../../testing/factories.ts';
import { fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('./TaskRunListPage.tsx')));

it('S1-2.1.14 lists task runs, each with the way to its place in the execution', async () => {
  const server = fakeServer(
    reply(flows.listNamespaces, () => []),
    reply(taskRuns.searchTaskRuns, () => ({ results: [aTaskRun()], total: 1 })),
  );
  renderAt('/taskruns?state=SUCCESS');
  const link = await screen.findByRole('link', { name: 'load' });
  expect(link.getAttribute('href')).toBe('/executions/shop.orders/nightly/exec1/gantt?taskRunId=run1');
  expect(server.to(taskRuns.searchTaskRuns)[0]?.query.get('state')).toBe('SUCCESS');
});

const counts = (total: number, sum: string) => ({
  startDate: '2026-03-01T00:00:00Z',
  groupBy: 'day' as const,
  duration: { sum, count: total },
  executionCounts: { SUCCESS: total },
});

it('S1-2.1.30 the usage page counts, and its minutes are all minutes and not their part of the hour', async () => {
  fakeServer(
    reply(product.getUsage, () => ({
      uuid: 'u',
      startUuid: 's',
      instanceUuid: 'i',
      serverType: 'STANDALONE',
      version: '1',
      zoneId: 'UTC',
      startTime: '2026-03-01T00:00:00Z',
      host: {
        uuid: 'h',
        hardware: {
          logicalProcessorCount: 2,
          physicalProcessorCount: 2,
          maxFreq: 1,
          memory: 1,
          knownVmMacAddr: false,
          knownDockerMacAddr: false,
        },
        os: { family: 'Linux', version: '1', codeName: '', buildNumber: '' },
        jvm: { name: 'node', vendor: '', version: '20' },
      },
      configurations: { repositoryType: 'sqlite', queueType: 'sqlite', storageType: 'local' },
      plugins: [],
      flows: {
        count: 7,
        namespacesCount: 2,
        taskTypeCount: { 'core.log.Log': 11 },
        triggerTypeCount: {},
        taskRunnerTypeCount: {},
      },
      executions: { dailyExecutionsCount: [counts(3, 'PT2H30M'), counts(4, 'PT30M')] },
    })),
  );
  renderAt('/admin/stats');
  const executions = await screen.findByRole('link', { name: 'Executions in 48 hours' });
  expect(executions.getAttribute('href')).toBe('/executions?timeRange=PT48H');
  expect(executions.closest('div')?.textContent).toBe('Executions in 48 hours7');
  expect(screen.getByText('Minutes of execution in 48 hours').closest('div')?.textContent).toContain('180');
});
