import { parseArgs } from 'node:util';
import { startPostgres } from '@millrace/store/suite';
import { inRoot } from '../../scripts/setup/root.mjs';
import { sweepHandOver } from './handOver/handOver.ts';
import { Random } from './random.ts';
import { formatReport, formatSweep } from './report.ts';
import { runChaos } from './run.ts';
import { createTemplate, inDatabase, inFolder } from './sweep/places.ts';
import { scenarios } from './sweep/scenarios.ts';
import { sweep } from './sweep/sweep.ts';

const usage = `Usage: npm run chaos -- [options]

  --minutes N       how long things go wrong on each database (default 5)
  --seed N          repeat the faults of another run (default: a new one, which is printed)
  --database NAME   only on sqlite or postgresql
  --only PART       faults: real processes that things go wrong around
                    sweep: one server, killed at each of its calls of the store
                    handover: executor, worker and api in processes of their own on PostgreSQL, one of them killed
  --moments N       how many moments of each scenario are tried on PostgreSQL (default 10; all: as many as there are)
  --help            print this
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    database: { type: 'string' },
    only: { type: 'string' },
    moments: { type: 'string', default: '10' },
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
  if (isAsked('faults')) violations += await faults(database);
  if (isAsked('sweep')) violations += await sweepAll(database);
  if (isAsked('handover') && database === 'PostgreSQL') violations += await handOver();
}
// Servers that crashed in this process leave threads behind, which would keep it alive.
process.exit(violations === 0 ? 0 : 1);

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
  // Uses the built threads: from sources, each of the many stores would compile its threads again.
  process.env.MILLRACE_STORE_THREADS = inRoot('dist', 'server');
  if (database === 'SQLite') return tell(await sweep({ scenarios, prepare: inFolder, say }));
  return onPostgres(async (serverUrl) => {
    const template = await createTemplate(serverUrl);
    return tell(
      await sweep({ scenarios, prepare: () => inDatabase(serverUrl, template), pick: sampled(), say }),
    );
  });

  function tell(report: Awaited<ReturnType<typeof sweep>>): number {
    process.stdout.write(formatSweep(database, report));
    return report.violations.length;
  }
}

function handOver(): Promise<number> {
  return onPostgres(async (serverUrl) => {
    const report = await sweepHandOver({ serverUrl, pick: sampled(), say });
    process.stdout.write(formatSweep('PostgreSQL, through the queue', report));
    return report.violations.length;
  });
}

async function onPostgres<T>(use: (serverUrl: string) => Promise<T>): Promise<T> {
  const server = await startPostgres();
  try {
    return await use(server.url);
  } finally {
    await server.stop();
  }
}

/** All of them, or a sample that the seed selects. */
function sampled() {
  const random = new Random(seed);
  const count = values.moments === 'all' ? Number.POSITIVE_INFINITY : Number(values.moments);
  return <T>(moments: readonly T[]) =>
    count >= moments.length ? moments : random.shuffle(moments).slice(0, count);
}

function isAsked(part: string): boolean {
  return values.only === undefined || values.only === part;
}
