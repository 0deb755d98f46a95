import type { DashboardRecord } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { Conflict } from '../port/store.ts';
import type { Subject } from './opened.ts';
import { noon, unique } from './records.ts';

export function dashboardTests(subject: Subject): void {
  const aDashboard = (wanted: Partial<DashboardRecord> = {}): DashboardRecord => ({
    id: unique('d'),
    title: 'Overview',
    source: 'title: "Overview \\0 {{ x }}"',
    createdAt: noon,
    updatedAt: noon,
    ...wanted,
  });

  describe('dashboards', () => {
    it('keeps, replaces and deletes them', async () => {
      const store = subject();
      const dashboard = aDashboard({ title: 'a\0b' });
      await store.commit([{ op: 'dashboard.put', dashboard, mustBeNew: true }]);
      expect(await store.getDashboard(dashboard.id)).toEqual(dashboard);
      const again = store.commit([{ op: 'dashboard.put', dashboard, mustBeNew: true }]);
      await expect(again).rejects.toThrow(Conflict);
      const changed = { ...dashboard, title: 'Other', updatedAt: noon + 1 };
      await store.commit([{ op: 'dashboard.put', dashboard: changed }]);
      expect(await store.getDashboard(dashboard.id)).toEqual(changed);
      await store.commit([{ op: 'dashboard.delete', id: dashboard.id }]);
      expect(await store.getDashboard(dashboard.id)).toBeUndefined();
      await expect(store.commit([{ op: 'dashboard.delete', id: dashboard.id }])).rejects.toThrow(Conflict);
    });

    it('lists them by the words of their titles, sorted as asked', async () => {
      const store = subject();
      const word = unique('w');
      for (const [title, updatedAt] of [
        [`${word} second`, noon],
        [`${word} first`, noon + 1],
      ] as const)
        await store.commit([{ op: 'dashboard.put', dashboard: aDashboard({ title, updatedAt }) }]);
      const titles = async (q: string, sort: { field: string; descending: boolean }[] = []) => {
        const { results, total } = await store.listDashboards({ page: 1, size: 10, q, sort });
        return [...results.map(({ title }) => title.replace(`${word} `, '')), total];
      };
      expect(await titles(word)).toEqual(['first', 'second', 2]);
      expect(await titles(`${word} sec`)).toEqual(['second', 1]);
      expect(await titles(word, [{ field: 'updated', descending: false }])).toEqual(['second', 'first', 2]);
      await expect(titles(word, [{ field: 'data', descending: false }])).rejects.toThrow('data');
    });
  });
}
