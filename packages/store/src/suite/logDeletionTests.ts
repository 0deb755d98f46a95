import { logLevels } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import type { LogSelection, Op } from '../port/op.ts';
import type { Subject } from './opened.ts';
import { aLog, unique } from './records.ts';

export function logDeletionTests(subject: Subject): void {
  const remove = (selection: LogSelection) => subject().commit([{ op: 'log.delete', selection }]);

  describe('deletion of logs', () => {
    const cases: readonly [Omit<LogSelection & { executionId: string }, 'executionId'>, number][] = [
      [{}, 0],
      [{ minLevel: 'WARN' }, 12],
      [{ taskId: 'a' }, 10],
      [{ taskRunId: 'b1', attempt: 1 }, 15],
      [{ taskId: 'a', taskRunId: 'b1' }, 20],
      [{ minLevel: 'ERROR', taskId: 'a', attempt: 0 }, 19],
    ];
    it.each(cases)('takes what meets all of %j', async (part, left) => {
      const executionId = unique('e');
      await subject().commit(
        logLevels.flatMap((level) =>
          ['a', 'b'].flatMap((taskId) =>
            [0, 1].map(
              (attemptNumber): Op => ({
                op: 'log.insert',
                log: aLog({ executionId, level, taskId, taskRunId: `${taskId}1`, attemptNumber }),
              }),
            ),
          ),
        ),
      );
      const other = unique('e');
      await subject().commit([{ op: 'log.insert', log: aLog({ executionId: other }) }]);
      await remove({ executionId, ...part });
      expect(await subject().listLogs({ executionId })).toHaveLength(left);
      expect(await subject().listLogs({ executionId: other })).toHaveLength(1);
    });

    it('takes entries without a task, and what the same unit wrote before', async () => {
      const executionId = unique('e');
      const insert: Op = { op: 'log.insert', log: aLog({ executionId }) };
      await subject().commit([insert]);
      await subject().commit([insert, { op: 'log.delete', selection: { executionId } }, insert]);
      expect(await subject().listLogs({ executionId })).toHaveLength(1);
    });

    it('takes a flow, or one of its triggers, and finds nothing of it any more', async () => {
      const namespace = unique('logs');
      const flow = { namespace, flowId: 'f' };
      await subject().commit(
        [
          aLog({ ...flow, message: 'needle' }),
          aLog({ ...flow, triggerId: 't', message: 'needle' }),
          aLog({ ...flow, triggerId: 'u', message: 'needle' }),
          aLog({ namespace, flowId: 'g', message: 'needle' }),
          aLog({ namespace: `${namespace}.child`, flowId: 'f', message: 'needle' }),
        ].map((log): Op => ({ op: 'log.insert', log })),
      );
      const count = async () => {
        const filters = [
          { field: 'namespace', operation: 'STARTS_WITH', value: namespace },
          { field: 'q', operation: 'EQUALS', value: 'needle' },
        ] as const;
        return (await subject().searchLogs({ filters, page: 1, size: 10 })).total;
      };
      expect(await count()).toBe(5);
      await remove({ ...flow, triggerId: 't' });
      expect(await count()).toBe(4);
      await remove(flow);
      expect(await count()).toBe(2);
    });
  });
}
