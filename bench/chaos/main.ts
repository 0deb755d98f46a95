import { parseArgs } from 'node:util';
import { startPostgres } from '@millrace/store/suite';
import { inRoot } from '../../scripts/setup/root.mjs';
import { Random } from './random.ts';
import { formatReport, formatSweep } from './report.ts';
import { runChaos } from './run.ts';
import { inDatabase, inFolder } from './sweep/places.ts';
import { scenarios } from './sweep/scenarios.ts';
import { sweep } from './sweep/sweep.ts';

const usage = `Usage: npm run chaos -- [options]

  --minutes N       how long things go wrong on each database (default 5)
  --seed N          repeat the faults of another run (default: a new one, which is printed)
  --database NAME   only on sqlite or postgresql
  --only PART       faults: real processes that things go wrong around
                    sweep: one server, killed at each of its calls of the store; some of them on PostgreSQL
  --help            print this
`;

/** Of each scenario: a database for each play takes a second to make. */
const momentsOnPostgres = 10;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    database: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const databases = (['SQLite', 'PostgreSQL'] as const).filter(
  (name) => values.database === undefined || name.toLowerCase() === values.database.toLowerCase(),
);
if (values.help || databases.length === 0) process.stdout.write(usage);

const say = (text: string) => void process.stdout.write(`${text}\n`);
const seed = Number(values.seed);
let violations = 0;
for (const database of values.help ? [] : databases) {
  if (values.only !== 'sweep') violations += await faults(database);
  if (values.only !== 'faults') violations += await sweepAll(database);
}
process.exitCode = violations === 0 ? 0 : 1;

async function faults(database: (typeof databases)[number]): Promise<number> {
  const report = await runChaos({
    database,
    seed,
    seconds: Number(values.minutes) * 60,
    pauseMs: { least: 300, most: 3_000 },
    say,
  });
  process.stdout.write(formatReport(report));
  return report.violations.length;
}

async function sweepAll(database: (typeof databases)[number]): Promise<number> {
  // Those of the build: from sources each of the many stores would compile its threads anew.
  process.env.MILLRACE_STORE_THREADS = inRoot('dist', 'server');
  if (database === 'SQLite') return tell(await sweep({ scenarios, prepare: inFolder, say }));
  const server = await startPostgres();
  const random = new Random(seed);
  const pick = <T>(moments: readonly T[]) => random.shuffle(moments).slice(0, momentsOnPostgres);
  try {
    return tell(await sweep({ scenarios, prepare: () => inDatabase(server.url), pick, say }));
  } finally {
    await server.stop();
  }

  function tell(report: Awaited<ReturnType<typeof sweep>>): number {
    process.stdout.write(formatSweep(database, report));
    return report.violations.length;
  }
}
