import { appendFileSync } from 'node:fs';
import { coreFamily } from '@millrace/plugin-core';
import { loadedFamily } from '@millrace/plugin-kit';
import { scriptsFamily } from '@millrace/plugin-scripts';
import { loadConfig } from '../../../packages/server/src/config/load.ts';
import { type OpenProduct, openProduct } from '../../../packages/server/src/openProduct.ts';
import { openCatalogue } from '../../../packages/server/src/plugins/openCatalogue.ts';
import { aSilentLog } from '../../../packages/server/src/testing/silentLog.ts';
import { nothingAccepted } from '../drive.ts';
import { CrashPoint, crashingBlobs, crashingStore } from '../sweep/crashPoint.ts';
import { Life } from '../sweep/life.ts';
import { sweepTasks } from '../sweep/tasks.ts';
import type { Answer, Order } from './orders.ts';

/** Frequent enough for work that waits for a heartbeat, and rare enough that most calls concern the work. */
const cluster = { heartbeatMs: 500, deadAfterMs: 60_000 };

/**
 * One server in a separate process, for one run after the other until it is ordered to crash in the middle of
 * one. The command sets its roles, so that work goes from one of these processes to another.
 */
let crashPoint = new CrashPoint();
let product: OpenProduct | undefined;

process.on('message', (order: Order) => {
  obey(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ problem: String(error) } satisfies Answer),
  );
});
process.on('disconnect', () => process.exit());

function obey(order: Order): Promise<Answer> {
  if (order.order === 'open') return open(order);
  if (!product) throw new Error('There is no server in this process yet.');
  return order.order === 'drive' ? drive(order, product) : close(product);
}

async function open({ role, data, databaseUrl, ledger, group, crash }: Extract<Order, { order: 'open' }>) {
  const next = new CrashPoint(crash);
  crashPoint = next;
  void next.crashed.then(() => process.kill(process.pid, 'SIGKILL'));
  const roles = role === 'executor' ? ['executor', 'scheduler'] : [role];
  const { config } = loadConfig({
    env: {},
    flags: {
      data,
      database: { url: databaseUrl },
      cluster,
      server: { roles },
      ...(group === undefined ? {} : { worker: { group } }),
    },
  });
  const write = (line: string) => {
    appendFileSync(ledger, `${line}\n`);
    return 0;
  };
  const sweep = { name: 'sweep', groups: [], types: sweepTasks({ push: write }) };
  const known = [coreFamily, scriptsFamily, sweep].map(loadedFamily);
  product = await openProduct({
    config,
    env: {},
    catalogue: await openCatalogue(config.plugins, aSilentLog(), known),
    log: aSilentLog(),
    wrap: {
      store: (store) => crashingStore(store, next),
      blobs: (blobs) => crashingBlobs(blobs, next),
    },
  });
  return {};
}

async function drive({ flows, starts }: Extract<Order, { order: 'drive' }>, open: OpenProduct) {
  const accepted = nothingAccepted();
  const life = new Life(open, open.store, accepted, { aheadMs: 0 });
  for (const source of flows) await life.save(source);
  for (const [index, flowId] of starts.entries()) await life.start(flowId, String(index));
  return { started: Object.fromEntries(accepted.started) };
}

async function close(open: OpenProduct): Promise<Answer> {
  const { calls } = crashPoint;
  await open.close(0);
  return { calls };
}
