import { expect, it } from 'vitest';
import { formatReport } from '../bench/chaos/report.ts';
import { runChaos } from '../bench/chaos/run.ts';

it.each([
  { database: 'SQLite', around: 'disk full' },
  { database: 'PostgreSQL', around: 'crash of the database' },
] as const)(
  '[A35] [A36] whatever is killed, hangs, fills up or crashes: nothing is lost or doubled on $database',
  async ({ database, around }) => {
    const said: string[] = [];
    const report = await runChaos({
      database,
      seed: 7,
      seconds: 6,
      pauseMs: { least: 100, most: 800 },
      say: (text) => said.push(text),
    });
    process.stdout.write(formatReport(report));
    expect(report.violations, `${formatReport(report)}\n${said.join('\n')}`).toEqual([]);
    expect(report.executions).toBeGreaterThan(0);
    // A disk of one's own to fill up needs the right to mount one.
    if (database === 'PostgreSQL' || process.getuid?.() === 0)
      expect(report.faults.map(({ name }) => name)).toContain(around);
  },
  900_000,
);
