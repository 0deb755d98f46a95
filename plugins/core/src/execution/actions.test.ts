import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test, vi } from 'vitest';
import { fetchLogs } from '../log/fetch.ts';
import { purgeLogs } from '../log/purgeLogs.ts';
import { toggle } from '../trigger/toggle.ts';
import { count } from './count.ts';
import { purgeExecutions } from './purgeExecutions.ts';
import { resume } from './resume.ts';

const flows = [
  { namespace: 'a', flowId: 'x' },
  { namespace: 'a', flowId: 'y' },
];

test('Count counts per flow and keeps the counts that match', async () => {
  const countExecutions = vi.fn(async ({ flowId }: { flowId?: string }) => (flowId === 'x' ? 3 : 0));
  const context = aTaskContext({ actions: { countExecutions } });
  const startDate = '2026-01-01T00:00:00Z';
  expect(await runType(count, { flows, startDate, states: ['FAILED'] }, context)).toEqual({
    results: [
      { namespace: 'a', flowId: 'x', count: 3 },
      { namespace: 'a', flowId: 'y', count: 0 },
    ],
    total: 3,
  });
  expect(countExecutions).toHaveBeenCalledWith({
    namespace: 'a',
    flowId: 'x',
    startDate,
    states: ['FAILED'],
  });
  const empty = await runType(count, { flows, startDate, expression: '{{ count == 0 }}' }, context);
  expect(empty).toEqual({ results: [{ namespace: 'a', flowId: 'y', count: 0 }], total: 0 });
});

test('Count wants flows or namespaces', () => {
  expect(count.check?.({ startDate: 'x' })).toHaveLength(1);
  expect(count.check?.({ flows, namespaces: ['a'] })).toHaveLength(1);
  expect(count.check?.({ namespaces: ['a'] })).toEqual([]);
});

test('Resume resumes the given execution, or the one that triggered this one', async () => {
  const resumeExecution = vi.fn(async () => {});
  const context = aTaskContext({
    actions: { resumeExecution },
    variables: { trigger: { executionId: 'e2' } },
  });
  await runType(resume, { executionId: 'e1', inputs: { a: 1 } }, context);
  await runType(resume, {}, context);
  expect(resumeExecution.mock.calls).toEqual([
    ['e1', { a: 1 }],
    ['e2', {}],
  ]);
});

test('PurgeExecutions hands its choice on and returns the counts', async () => {
  const purge = vi.fn(async () => ({ executions: 1, logs: 2, metrics: 3, storage: 4 }));
  const context = aTaskContext({ actions: { purgeExecutions: purge } });
  const endDate = '2026-01-01T00:00:00Z';
  expect(await runType(purgeExecutions, { endDate, purgeLog: false }, context)).toEqual({
    executionsCount: 1,
    logsCount: 2,
    metricsCount: 3,
    storagesCount: 4,
  });
  expect(purge).toHaveBeenCalledWith(
    { endDate },
    { executions: true, logs: false, metrics: true, storage: true },
  );
});

test('Fetch writes the logs of this execution to a file', async () => {
  async function* rows() {
    yield { level: 'WARN', message: 'a' };
    yield { level: 'ERROR', message: 'b' };
  }
  const fetched = vi.fn(rows);
  const context = aTaskContext({ actions: { fetchLogs: fetched } });
  const { uri, size } = await runType(fetchLogs, { level: 'WARN', tasksId: ['t'] }, context);
  expect(size).toBe(2);
  expect(await context.files.text(String(uri))).toBe(
    '{"level":"WARN","message":"a"}\n{"level":"ERROR","message":"b"}\n',
  );
  expect(fetched).toHaveBeenCalledWith({ executionId: 'execution1', minLevel: 'WARN', taskIds: ['t'] });
});

test('Fetch needs nothing but the id of another execution', async () => {
  const fetched = vi.fn(async function* () {});
  const context = aTaskContext({ actions: { fetchLogs: fetched } });
  await runType(fetchLogs, { executionId: 'other' }, context);
  expect(fetched).toHaveBeenCalledWith({ executionId: 'other', minLevel: 'INFO' });
  expect(fetchLogs.check?.({ executionId: 'other' })).toEqual([]);
  expect(fetchLogs.check?.({ executionId: 'other', namespace: 'a', flowId: 'b' })).toEqual([]);
  expect(fetchLogs.check?.({ namespace: 'a', flowId: 'b' })).toMatchObject([{ path: 'executionId' }]);
});

test('PurgeLogs and Toggle hand their choice on', async () => {
  const purge = vi.fn(async () => 5);
  const setTriggerEnabled = vi.fn(async () => {});
  const context = aTaskContext({ actions: { purgeLogs: purge, setTriggerEnabled } });
  const endDate = '2026-01-01T00:00:00Z';
  expect(await runType(purgeLogs, { endDate, logLevels: ['DEBUG'] }, context)).toEqual({ count: 5 });
  expect(purge).toHaveBeenCalledWith({ endDate, levels: ['DEBUG'] });
  await runType(toggle, { trigger: 'daily', enabled: 'true', flowId: 'x' }, context);
  expect(setTriggerEnabled).toHaveBeenCalledWith(
    { namespace: 'company.team', flowId: 'x', id: 'daily' },
    true,
  );
});
