import { writeFileSync } from 'node:fs';
import { benchExpressions } from '../packages/expression/src/bench.ts';
import { withDatabase } from './database.ts';
import { measureDatabase } from './measureDatabase.ts';
import { measureCoreRate, measureSyncRate } from './measures/machine.ts';
import { executionPage, measureWebSize } from './measures/webSize.ts';
import { type Options, readOptions, usage } from './options.ts';
import { measurePages } from './parts/pages.ts';
import type { Figures, Report } from './report/figures.ts';
import { createProgress } from './report/progress.ts';
import { formatTable } from './report/table.ts';

const options = readOptions(process.argv.slice(2));
if (options === 'help') process.stdout.write(usage);
else await measureAll(options);

async function measureAll(options: Options): Promise<void> {
  const progress = createProgress();
  const product = measureProduct(options);
  const report: Report = { product };
  for (const database of options.databases) {
    const say = (text: string) => progress(`${database}: ${text}`);
    const figures = await withDatabase(database, (createDatabase) =>
      measureDatabase({ options, createDatabase, say }),
    );
    if (figures) report[database] = figures;
    else say('not installed, left out');
  }
  if (options.parts.has('pages')) Object.assign(product, await measurePages(options, progress));
  process.stdout.write(`\n${formatTable(report)}\n`);
  if (options.quick)
    process.stdout.write('\nA quick run: it shows that all of it works, not how fast it is.\n');
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
}

function measureProduct({ parts }: Options): Figures {
  const figures: Figures = { syncsPerSecond: measureSyncRate(1000), coreRate: measureCoreRate(500) };
  if (parts.has('expressions')) {
    const { literalPerSecond, simplePerSecond, mixedPerSecond } = benchExpressions(() => performance.now());
    Object.assign(figures, {
      simpleExpressions: simplePerSecond,
      mixedExpressions: mixedPerSecond,
      expressionShare: (simplePerSecond / literalPerSecond) * 100,
    });
  }
  if (parts.has('web')) {
    const { scriptBytes, styleBytes } = measureWebSize();
    figures.webScriptKilobytes = scriptBytes / 1024;
    figures.webStyleKilobytes = styleBytes / 1024;
    figures.webExecutionKilobytes = measureWebSize(executionPage).scriptBytes / 1024;
  }
  return figures;
}
