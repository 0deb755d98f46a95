import type { StateType } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import type { Store } from '../port/store.ts';
import { anExecution, aTaskRun, insert, noon } from './records.ts';

export function taskStateTests(subject: () => Store): void {
  describe('counts of task states', () => {
    const execution = anExecution();
    const other = anExecution();
    const run = (id: string, taskId: string, state: StateType, startMs: number, durationMs: number) =>
      aTaskRun(execution.id, {
        id: `${execution.id}-${id}`,
        taskId,
        state: {
          current: state,
          histories: [
            { state: 'CREATED', date: noon + startMs },
            { state, date: noon + startMs + durationMs },
          ],
        },
        attempts: Array.from({ length: taskId === 'load' ? 3 : 1 }, () => ({
          state: { current: state, histories: [{ state, date: noon }] },
        })),
        outputs: { text: 'not read' },
      });

    it('are grouped by execution, task and state, in the order of their start', async () => {
      const runs = [
        run('a', 'load', 'SUCCESS', 0, 10),
        run('b', 'each', 'RUNNING', 20, 5),
        run('c', 'item', 'SUCCESS', 30, 7),
        run('d', 'item', 'FAILED', 31, 9),
        run('e', 'item', 'SUCCESS', 40, 12),
      ];
      await subject().commit([
        insert(execution),
        insert(other),
        ...runs.map((taskRun) => ({ op: 'taskRun.put', taskRun }) as const),
      ]);
      const counts = await subject().countTaskStates([other.id, execution.id, 'unknown'], 100);
      const common = { executionId: execution.id };
      expect(counts).toEqual([
        {
          ...common,
          taskId: 'load',
          state: 'SUCCESS',
          count: 1,
          ...startsAt(0, 0),
          attempts: 3,
          ...one('a'),
          durationMs: 10,
        },
        {
          ...common,
          taskId: 'each',
          state: 'RUNNING',
          count: 1,
          ...startsAt(20, 20),
          ...one('b'),
          attempts: 1,
        },
        {
          ...common,
          taskId: 'item',
          state: 'SUCCESS',
          count: 2,
          ...startsAt(30, 40),
          attempts: 1,
          ...one('c'),
          durationMs: 12,
        },
        {
          ...common,
          taskId: 'item',
          state: 'FAILED',
          count: 1,
          ...startsAt(31, 31),
          attempts: 1,
          ...one('d'),
          durationMs: 9,
        },
      ]);
    });

    it('O-11.4 of a large execution are those of its first and last task runs', async () => {
      const tasksAt = async (limit: number) =>
        (await subject().countTaskStates([execution.id], limit)).map(({ taskId, state, count }) =>
          [taskId, state, count].join(' '),
        );
      expect(await tasksAt(1)).toEqual(['load SUCCESS 1', 'item SUCCESS 1']);
      expect(await tasksAt(2)).toEqual([
        'load SUCCESS 1',
        'each RUNNING 1',
        'item FAILED 1',
        'item SUCCESS 1',
      ]);
      // Both parts have successful items.
      const [item] = (await subject().countTaskStates([execution.id], 3)).filter(({ count }) => count === 2);
      expect(item).toMatchObject({ taskId: 'item', ...startsAt(30, 40), ...one('c'), durationMs: 12 });
    });

    const one = (id: string) => ({ taskRunId: `${execution.id}-${id}` });
    const startsAt = (first: number, last: number) => ({
      firstStartedAt: noon + first,
      lastStartedAt: noon + last,
    });
  });
}
