import { describe, expect, it } from 'vitest';
import { blockSums, stepMs, stepsPerBlock } from '../rows/rollUp.ts';
import { openDatabase } from '../sqlite/openDatabase.ts';
import { calendarOf } from '../statistics/calendar.ts';
import { rollUpSpans } from './rollUpSpans.ts';
import { unitAt } from './unitSql.ts';

/** Summer time begins in Berlin on 30 March 2025. */
const from = Math.floor(Date.UTC(2025, 2, 25, 3, 30) / stepMs);
const windows: [number, number][] = [
  [from, from + 15 * 48 + 5],
  [from + 3, from + 9],
  [from + 4, from + 4 + stepsPerBlock],
  [from, from + 1],
  [0, 200],
];
const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Auckland'];

describe('the rows of the roll-up that make up a window', () => {
  it.each(zones)('count every half hour once, in its own day of %s', (timeZone) => {
    for (const [firstStep, endStep] of windows) {
      const offsets = calendarOf(timeZone).offsets(firstStep * stepMs, endStep * stepMs);
      const unitOf = (at: number): number => unitAt(at, offsets, 'day');
      const expected = new Map<number, number>();
      for (let step = firstStep; step < endStep; step++) {
        const unit = unitOf(step * stepMs);
        expected.set(unit, (expected.get(unit) ?? 0) + 1);
      }
      const counted = new Map<number, number>();
      for (const { subject, steps } of rollUpSpans(2, { firstStep, endStep, edges: [] }, unitOf)) {
        for (const { step, n } of stepsIn(steps.text, subject === 2 ? 1 : stepsPerBlock)) {
          expect(subject).toBe(n === 1 ? 2 : 2 + blockSums);
          counted.set(unitOf(step * stepMs), (counted.get(unitOf(step * stepMs)) ?? 0) + n);
        }
      }
      expect([...counted].sort()).toEqual([...expected].sort());
    }
  });

  it('are hardly more than those of four hours when nothing is grouped by the date', () => {
    const spans = rollUpSpans(0, { firstStep: from + 1, endStep: from + 48 * 30, edges: [] });
    const rows = spans.map(
      ({ subject, steps }) => stepsIn(steps.text, subject === 0 ? 1 : stepsPerBlock).length,
    );
    expect(rows[0]).toBeGreaterThan(170);
    expect(rows.reduce((a, b) => a + b, 0)).toBeLessThan(200);
  });
});

/** The steps that match a condition, of all steps or of every eighth. */
function stepsIn(condition: string, n: number): { step: number; n: number }[] {
  const database = openDatabase(':memory:');
  const text = `WITH RECURSIVE all_steps (step) AS (SELECT 0 UNION ALL SELECT step + ${n} FROM all_steps WHERE step < 400)
    SELECT step FROM (SELECT step FROM all_steps UNION SELECT step + ${from - (from % 48)} FROM all_steps
      UNION SELECT step + ${from - (from % 48) + 400} FROM all_steps UNION SELECT step + ${from - (from % 48) + 800} FROM all_steps
      UNION SELECT step + ${from - (from % 48) + 1200} FROM all_steps)
    WHERE ${condition} ORDER BY step`;
  // `as`: the column is that of the statement.
  const rows = database.prepare(text).all() as { step: number }[];
  database.close();
  return rows.map(({ step }) => ({ step, n }));
}
