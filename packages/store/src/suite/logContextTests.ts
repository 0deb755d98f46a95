import { describe, expect, it } from 'vitest';
import type { Subject } from './opened.ts';
import { aLog, noon, unique } from './records.ts';

export function logContextTests(subject: Subject): void {
  describe('the context of a log entry', () => {
    it('holds the entries of the same execution that were stored before and after it', async () => {
      const store = subject();
      const [executionId, other] = [unique('e'), unique('e')];
      const log = (index: number) =>
        aLog({ executionId, at: noon + Math.floor(index / 4), message: `line ${index}` });
      for (let index = 0; index < 12; index++) {
        await store.commit([
          { op: 'log.insert', log: log(index) },
          { op: 'log.insert', log: aLog({ executionId: other, at: noon + 1, message: 'line of another' }) },
        ]);
      }
      const around = async (at: number, lines: number, message?: string) => {
        const query = { executionId, at, lines, ...(message === undefined ? {} : { message }) };
        const found = await store.logsAround(query);
        return found && [found.index, found.entries.map((entry) => entry.message.slice(5)).join(' ')];
      };
      expect(await around(noon + 1, 2)).toEqual([2, '2 3 4 5 6']);
      expect(await around(noon + 1, 2, 'line 6')).toEqual([2, '4 5 6 7 8']);
      expect(await around(noon, 3)).toEqual([0, '0 1 2 3']);
      expect(await around(noon + 2, 2, 'line 11')).toEqual([2, '9 10 11']);
      expect(await around(noon + 1, 2, 'line of')).toBeUndefined();
      expect(await around(noon + 9, 2)).toBeUndefined();
    });
  });
}
