import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreConfig } from '@millrace/store';
import type { Figures } from '../report/figures.ts';
import { fillRows } from '../store/fillRows.ts';
import { type ListTime, listTimes } from '../store/listTimes.ts';
import { measureGrown } from './grown.ts';
import type { Stage } from './stage.ts';

/**
 * The slowest list of each kind; the log of the run has all of them. Then the effect of a large database on
 * new executions.
 */
export async function measureLists(stage: Stage): Promise<Figures> {
  const size = stage.options.quick
    ? { executions: 20_000, logs: 50_000 }
    : { executions: 1_000_000, logs: 5_000_000 };
  stage.say(`lists: ${size.executions} executions and ${size.logs} log entries are made`);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-'));
  const url = await stage.createDatabase();
  const config: StoreConfig = url === undefined ? { kind: 'sqlite', folder } : { kind: 'postgres', url };
  const now = Date.now();
  try {
    await fillRows(config, { ...size, now });
    const times = await listTimes(config, { turns: stage.options.quick ? 5 : 40, now });
    for (const { title, ...figures } of times) {
      const [first, p50, p95] = [figures.firstMs, figures.p50Ms, figures.p95Ms].map((ms) =>
        ms.toFixed(1).padStart(7),
      );
      stage.say(`${title.padEnd(44)} first ${first} ms   p50 ${p50} ms   p95 ${p95} ms`);
    }
    const place = { data: folder, ...(url === undefined ? {} : { databaseUrl: url }) };
    return {
      ...(await measureGrown(stage, place)),
      listP95Ms: slowest(times, 'executions'),
      taskRunListP95Ms: slowest(times, 'taskRuns'),
      logSearchP95Ms: slowest(times, 'logs'),
      statisticsP95Ms: slowest(times, 'statistics'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const slowest = (times: readonly ListTime[], kind: ListTime['kind']): number =>
  Math.max(...times.filter((time) => time.kind === kind).map(({ p95Ms }) => p95Ms));
