import { expect, it } from 'vitest';
import { formatReport } from '../bench/chaos/report.ts';
import { runChaos } from '../bench/chaos/run.ts';

it.each(['SQLite', 'PostgreSQL'] as const)(
  'after kill -9, hangs, a full disk and a crashed database nothing is lost or doubled on %s (abuse cases 35, 36)',
  async (database) => {
    const report = await runChaos({
      database,
      seed: 7,
      seconds: 6,
      pauseMs: { least: 100, most: 800 },
      say: () => {},
    });
    expect(report.violations, formatReport(report)).toEqual([]);
    expect(report.executions).toBeGreaterThan(10);
    expect(report.faults.length).toBeGreaterThan(0);
  },
  300_000,
);
