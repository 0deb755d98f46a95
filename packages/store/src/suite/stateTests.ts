import { describe, expect, it } from 'vitest';
import type { Subject } from './opened.ts';
import { anExecution, insert, unique } from './records.ts';

export function stateTests(subject: Subject): void {
  describe('states of executions', () => {
    it('are found by id; unknown ones are left out', async () => {
      const made = Array.from({ length: 1_100 }, (_, index) =>
        anExecution({ state: index % 2 === 0 ? 'FAILED' : 'RUNNING' }),
      );
      await subject().commit(made.map(insert));
      const states = await subject().listStates(['unknown', "x' OR 1=1", ...made.map(({ id }) => id)]);
      expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
        new Map(made.map(({ id, state }) => [id, state.current])),
      );
      for (const { state, isClosed } of states) expect(isClosed).toBe(state === 'FAILED');
      expect(await subject().listStates([])).toEqual([]);
    });

    it('are found by filters, in pages, each once', async () => {
      const namespace = unique('states');
      const made = Array.from({ length: 7 }, (_, index) =>
        anExecution({
          namespace,
          flowId: index === 0 ? 'other' : 'wanted',
          state: 'FAILED',
          labels: [{ key: 'team', value: 'data' }],
        }),
      );
      await subject().commit(made.map(insert));
      const filters = [
        { field: 'namespace', operation: 'EQUALS', value: namespace },
        { field: 'q', operation: 'EQUALS', value: 'want' },
        { field: 'labels', operation: 'EQUALS', value: { team: 'data' } },
      ] as const;
      const found: string[] = [];
      for (let after = 0; ; ) {
        const page = await subject().matchStates(filters, after, 4);
        found.push(...page.map(({ id }) => id));
        after = page.at(-1)?.seq ?? after;
        if (page.length < 4) break;
      }
      expect(found).toEqual(made.slice(1).map(({ id }) => id));
    });
  });
}
