import { type Trigger, type TriggerDefinition, type TriggerUpdate, triggers } from '@millrace/contract';
import type { BackfillRequest } from '@millrace/engine';
import type { Filter, TriggerRecord } from '@millrace/store';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type BackfillChange, changeBackfill } from '../../actions/changeBackfill.ts';
import { actOnItems, changedOne } from '../../actions/longAction.ts';
import { resetTrigger } from '../../actions/resetTrigger.ts';
import { restartTrigger } from '../../actions/restartTrigger.ts';
import { switchTrigger, type TriggerSwitch } from '../../actions/switchTrigger.ts';
import { unlockTrigger } from '../../actions/unlockTrigger.ts';
import type { Product } from '../../product.ts';
import { readDate } from '../../readDate.ts';
import type { TriggerKey } from '../../scheduler/changeTrigger.ts';
import { presentTrigger } from '../../views/presentTrigger.ts';
import { readFilters } from '../filters.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';
import type { QueryValues } from '../query.ts';

export function mountTriggers(app: FastifyInstance, product: Product): void {
  mountReading(app, product);
  mountSingle(app, product);
  mountBulk(app, product);
}

function mountReading(app: FastifyInstance, product: Product): void {
  const { store } = product;

  mount(app, triggers.searchTriggers, async ({ query, request }) => {
    const filters = filtersOf(request, product);
    const { results, total } = await store.listTriggers({ ...toPageQuery(query), filters });
    const views = results.map(async (row) => {
      const abstractTrigger = await definitionOf(row, product);
      return {
        ...(abstractTrigger ? { abstractTrigger } : {}),
        triggerContext: presentTrigger(row, abstractTrigger, product.clock()),
      };
    });
    return { results: await Promise.all(views), total };
  });

  mount(app, triggers.listTriggersOfFlow, async ({ params, query }) => {
    const filters: Filter[] = [
      { field: 'namespace', operation: 'EQUALS', value: params.namespace },
      { field: 'flowId', operation: 'EQUALS', value: params.flowId },
    ];
    if (query.q !== undefined) filters.push({ field: 'q', operation: 'EQUALS', value: query.q });
    const { results, total } = await store.listTriggers({ ...toPageQuery(query), filters });
    return { results: await Promise.all(results.map((row) => view(row, product))), total };
  });
}

function mountSingle(app: FastifyInstance, product: Product): void {
  const update = async ({ body }: { readonly body: TriggerUpdate }) =>
    view(await switchTrigger(body, readSwitch(body), product), product);
  mount(app, triggers.updateTrigger, update);
  mount(app, triggers.setTriggerDisabled, update);
  mount(app, triggers.createBackfill, update);
  mount(app, triggers.unlockTrigger, async ({ params }) =>
    view(await unlockTrigger(params, product), product),
  );
  mount(app, triggers.restartTrigger, async ({ params }) =>
    view(await restartTrigger(params, product), product),
  );
  mount(app, triggers.deleteTrigger, ({ params }) => resetTrigger(params, product));
  const change = async (key: TriggerKey, what: BackfillChange) =>
    view(await changeBackfill(key, what, product), product);
  mount(app, triggers.pauseBackfill, ({ body }) => change(body, 'pause'));
  mount(app, triggers.unpauseBackfill, ({ body }) => change(body, 'unpause'));
  mount(app, triggers.deleteBackfill, ({ body }) => change(body, 'delete'));
}

type Act = (key: TriggerKey) => Promise<unknown>;

function mountBulk(app: FastifyInstance, product: Product): void {
  const backfill =
    (what: BackfillChange): Act =>
    (key) =>
      changeBackfill(key, what, product);
  const isUnlocked = async ({ namespace, flowId, triggerId }: TriggerKey) => {
    const row = await product.store.getTrigger(namespace, flowId, triggerId);
    return row?.executionId === undefined && row?.evaluationStartedAt === undefined;
  };
  const isGone = async ({ namespace, flowId, triggerId }: TriggerKey) =>
    (await product.store.getTrigger(namespace, flowId, triggerId)) === undefined;
  const unlock: Act = (key) => unlockTrigger(key, product);
  mount(app, triggers.unlockTriggersByList, async ({ body }) => ({
    count: await forEach(async () => body, unlock, isUnlocked),
  }));
  mount(app, triggers.unlockTriggersByQuery, async ({ request }) => ({
    count: await forEach(() => keysOf(request, product), unlock, isUnlocked),
  }));
  const pairs = [
    [triggers.pauseBackfillsByList, triggers.pauseBackfillsByQuery, backfill('pause')],
    [triggers.unpauseBackfillsByList, triggers.unpauseBackfillsByQuery, backfill('unpause')],
    [triggers.deleteBackfillsByList, triggers.deleteBackfillsByQuery, backfill('delete')],
  ] as const;
  for (const [byList, byQuery, act] of pairs) {
    mount(app, byList, async ({ body }) => ({ count: await forEach(async () => body, act) }));
    mount(app, byQuery, async ({ request }) => ({
      count: await forEach(() => keysOf(request, product), act),
    }));
  }
  const turn =
    (disabled: boolean): Act =>
    (key) =>
      switchTrigger(key, { disabled }, product);
  mount(app, triggers.setTriggersDisabledByList, async ({ body }) => {
    await forEach(async () => body.triggers, turn(body.disabled));
    return { count: body.triggers.length };
  });
  mount(app, triggers.setTriggersDisabledByQuery, async ({ query, request }) => ({
    count: await forEach(() => keysOf(request, product), turn(query.disabled)),
  }));
  const reset: Act = (key) => resetTrigger(key, product);
  mount(app, triggers.deleteTriggersByList, async ({ body }) => ({
    count: await forEach(async () => body, reset, isGone),
  }));
  mount(app, triggers.deleteTriggersByQuery, async ({ request }) => ({
    count: await forEach(() => keysOf(request, product), reset, isGone),
  }));
}

/** Does it to each one it is possible for, and counts those. Most changes are safe to repeat. */
const forEach = (
  choose: () => Promise<readonly TriggerKey[]>,
  act: Act,
  wasDone = async (_: TriggerKey) => false,
): Promise<number> => actOnItems({ choose, act: (key) => changedOne(() => act(key)), wasDone });

const pageSize = 1_000;

/** All triggers of a query, read before any of them changes, because a change may affect which ones match. */
async function keysOf(request: FastifyRequest, product: Product): Promise<TriggerKey[]> {
  const filters = filtersOf(request, product);
  const keys: TriggerKey[] = [];
  for (let page = 1; ; page++) {
    const { results } = await product.store.listTriggers({ page, size: pageSize, filters });
    keys.push(...results.map(({ namespace, flowId, triggerId }) => ({ namespace, flowId, triggerId })));
    if (results.length < pageSize) return keys;
  }
}

const filtersOf = (request: FastifyRequest, { clock, config }: Product): Filter[] =>
  readFilters(request.query as QueryValues, 'trigger', {
    now: clock(),
    systemNamespace: config.systemNamespace,
  });

async function definitionOf(row: TriggerRecord, { flows }: Product): Promise<TriggerDefinition | undefined> {
  const found = await flows.find(row.namespace, row.flowId);
  return found?.flow.triggers?.find(({ id }) => id === row.triggerId);
}

const view = async (row: TriggerRecord, product: Product): Promise<Trigger> =>
  presentTrigger(row, await definitionOf(row, product), product.clock());

function readSwitch({ disabled, backfill }: TriggerUpdate): TriggerSwitch {
  const { start, end, inputs, labels } = backfill ?? {};
  const request: BackfillRequest | undefined =
    start === undefined
      ? undefined
      : {
          start: readDate(start),
          ...(end ? { end: readDate(end) } : {}),
          ...(inputs ? { inputs } : {}),
          ...(labels ? { labels } : {}),
        };
  return {
    ...(typeof disabled === 'boolean' ? { disabled } : {}),
    ...(request ? { backfill: request } : {}),
  };
}
