import { parseArgs } from 'node:util';
import { formatReport } from './report.ts';
import { runChaos } from './run.ts';

const usage = `Usage: npm run chaos -- [options]

  --minutes N       how long things go wrong on each database (default 5)
  --seed N          repeat the faults of another run (default: a new one, which is printed)
  --database NAME   only on sqlite or postgresql
  --help            print this
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    database: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const databases = (['SQLite', 'PostgreSQL'] as const).filter(
  (name) => values.database === undefined || name.toLowerCase() === values.database.toLowerCase(),
);
if (values.help || databases.length === 0) process.stdout.write(usage);

let violations = 0;
for (const database of values.help ? [] : databases) {
  const report = await runChaos({
    database,
    seed: Number(values.seed),
    seconds: Number(values.minutes) * 60,
    pauseMs: { least: 300, most: 3_000 },
    say: (text) => process.stdout.write(`${text}\n`),
  });
  process.stdout.write(formatReport(report));
  violations += report.violations.length;
}
process.exitCode = violations === 0 ? 0 : 1;
