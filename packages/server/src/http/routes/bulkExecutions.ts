import {
  AppError,
  type BulkResponse,
  bulkExecutions,
  type Endpoint,
  isTerminal,
  type QueryOf,
  type StateType,
  type UnqueueState,
} from '@millrace/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { actOnMany, type BulkAction } from '../../actions/bulk.ts';
import { changeStatus } from '../../actions/changeStatus.ts';
import { deleteExecution } from '../../actions/deleteExecution.ts';
import { forceRun } from '../../actions/forceRun.ts';
import { killExecution } from '../../actions/killExecution.ts';
import { pauseExecution } from '../../actions/pauseExecution.ts';
import { markSource, replayExecution } from '../../actions/replayExecution.ts';
import { restartExecution } from '../../actions/restartExecution.ts';
import { addLabels, checkAddedLabels } from '../../actions/setLabels.ts';
import { unqueueExecution } from '../../actions/unqueueExecution.ts';
import type { Product } from '../../product.ts';
import { readFilters } from '../filters.ts';
import { mount } from '../mount.ts';
import { onBehalfOf, type SignedProduct } from '../onBehalfOf.ts';
import type { QueryValues } from '../query.ts';
import { required } from '../required.ts';

/** Returns the error for an execution that is not in the required state. */
const only = (wanted: StateType) => (state: StateType) =>
  state === wanted ? undefined : `execution not in state ${wanted}`;
const ended = (message: string) => (state: StateType) => (isTerminal(state) ? undefined : message);
const open = (message: string) => (state: StateType) => (isTerminal(state) ? message : undefined);

/** Every action on many executions, in both of its forms. */
export function mountBulkExecutions(app: FastifyInstance, product: Product): void {
  const both = <P extends Pair>(pair: P, actionOf: ActionOf<QueryOf<P['byIds']>>) =>
    mountBoth(app, product, pair, actionOf);

  both(bulkExecutions.restart, (_, asked) => ({
    refusal: 'invalid bulk restart',
    problemOf: only('FAILED'),
    act: (id) => restartExecution(id, undefined, asked),
  }));
  both(bulkExecutions.resume, (_, asked) => ({
    refusal: 'invalid bulk resume',
    problemOf: only('PAUSED'),
    act: (id) => asked.executor.request(id, { type: 'resume' }),
  }));
  both(bulkExecutions.pause, (_, asked) => ({
    refusal: 'invalid bulk pause',
    problemOf: only('RUNNING'),
    act: (id) => pauseExecution(id, asked),
  }));
  both(bulkExecutions.replay, ({ latestRevision }, asked) => ({
    refusal: 'invalid bulk replay',
    problemOf: () => undefined,
    act: (id) => replayExecution(id, latestRevision ? { revision: 'latest' } : {}, asked),
    wasDone: async (id, key) => {
      if ((await product.store.findExecutionByKey(key)) === undefined) return false;
      await markSource(id, asked);
      return true;
    },
  }));
  both(bulkExecutions.changeStatus, ({ newStatus }, asked) => {
    const state = terminal(required(newStatus, 'newStatus'));
    return {
      refusal: 'invalid bulk change executions state',
      problemOf: ended('execution not in a terminated state'),
      act: (id) => changeStatus(id, state, asked),
    };
  });
  const unqueueTo = (asked: SignedProduct, state: UnqueueState = 'RUNNING'): BulkAction => ({
    refusal: 'invalid bulk unqueue',
    problemOf: only('QUEUED'),
    act: (id) => unqueueExecution(id, state, asked),
  });
  mount(app, bulkExecutions.unqueue.byIds, ({ body, query, request }) =>
    actOnMany({ ids: body }, unqueueTo(onBehalfOf(request, product), query.state), product),
  );
  mount(app, bulkExecutions.unqueue.byQuery, ({ query, request }) =>
    actOnMany(
      { filters: filtersOf(request, product) },
      unqueueTo(onBehalfOf(request, product), query.newState),
      product,
    ),
  );
  both(bulkExecutions.forceRun, (_, asked) => ({
    refusal: 'invalid bulk force run',
    problemOf: open('execution in a terminated state'),
    act: (id) => forceRun(id, asked),
  }));
  both(bulkExecutions.kill, (_, asked) => ({
    refusal: 'invalid bulk kill',
    problemOf: open('execution already finished'),
    act: (id) => killExecution(id, false, asked),
  }));
  both(bulkExecutions.remove, ({ includeNonTerminated, deleteLogs, deleteMetrics, deleteStorage }) => ({
    refusal: 'invalid bulk delete',
    problemOf: includeNonTerminated ? () => undefined : ended('execution not found'),
    act: (id) =>
      deleteExecution(id, { logs: deleteLogs, metrics: deleteMetrics, storage: deleteStorage }, product),
    wasDone: async (id) => (await product.store.listStates([id])).length === 0,
  }));

  const addAll = (asked: SignedProduct, labels: Parameters<typeof checkAddedLabels>[0]): BulkAction => {
    checkAddedLabels(labels);
    return {
      refusal: 'invalid bulk set labels',
      problemOf: ended('execution is not terminated'),
      act: (id) => addLabels(id, labels, asked),
    };
  };
  mount(app, bulkExecutions.labelsByIds, ({ body, request }) =>
    actOnMany(
      { ids: body.executionsId },
      addAll(onBehalfOf(request, product), body.executionLabels),
      product,
    ),
  );
  mount(app, bulkExecutions.labelsByQuery, ({ body, request }) =>
    actOnMany({ filters: filtersOf(request, product) }, addAll(onBehalfOf(request, product), body), product),
  );
}

/** `asked` records the caller of the request. */
type ActionOf<Options> = (options: Options, asked: SignedProduct) => BulkAction;

interface BulkEndpoint extends Endpoint {
  readonly reply: typeof BulkResponse;
}

interface Pair {
  readonly byIds: BulkEndpoint & { readonly body: z.ZodType<string[]> };
  readonly byQuery: BulkEndpoint;
}

function mountBoth<P extends Pair>(
  app: FastifyInstance,
  product: Product,
  { byIds, byQuery }: P,
  actionOf: ActionOf<QueryOf<P['byIds']>>,
): void {
  // `as`: the queries of both endpoints have the options of the pair.
  const actionFor = ({ query, request }: { readonly query: unknown; readonly request: FastifyRequest }) =>
    actionOf(query as QueryOf<P['byIds']>, onBehalfOf(request, product));
  mount<Pair['byIds']>(app, byIds, (call) => actOnMany({ ids: call.body }, actionFor(call), product));
  mount<Pair['byQuery']>(app, byQuery, (call) =>
    actOnMany({ filters: filtersOf(call.request, product) }, actionFor(call), product),
  );
}

const filtersOf = (request: FastifyRequest, { clock, config }: Product) =>
  readFilters(request.query as QueryValues, 'execution', {
    now: clock(),
    systemNamespace: config.systemNamespace,
  });

function terminal(state: StateType): StateType {
  if (isTerminal(state)) return state;
  throw new AppError('illegal-argument', `${state} is not a state that an execution can end in`);
}
