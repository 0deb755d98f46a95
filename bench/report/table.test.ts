import { expect, it } from 'vitest';
import { budgets } from './budgets.ts';
import { formatTable } from './table.ts';

it('shows what was measured against its limit and the peer', () => {
  const lines = formatTable({
    SQLite: { b1PerSecond: 3000, b1P50Ms: 9.25 },
    PostgreSQL: { b1PerSecond: 999 },
    product: { webScriptKilobytes: 240.04 },
  }).split('\n');
  expect(lines.slice(1).map((line) => line.replace(/ {3,}/g, ' | '))).toEqual([
    'B1 sustained, mean < 1 s | 25/s | SQLite 3,000/s ✓ (≥ 2,500/s; 120 ×) | PostgreSQL 999/s ✗ (≥ 1,000/s; 40 ×)',
    'B1 at 10/s, p50 | 170 ms | SQLite 9.25 ms ✗ (≤ 8 ms; 18.4 ×)',
    'web: first page, scripts (gzip) | 2,433 KB | 240 KB ✓ (≤ 250 KB; 10.1 ×)',
  ]);
});

it('has one row for each id', () => {
  expect(new Set(budgets.map(({ id }) => id)).size).toBe(budgets.length);
});
