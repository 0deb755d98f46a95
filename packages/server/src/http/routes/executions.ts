import { AppError, type Execution, type ExecutionRecord, executions, type Label } from '@millrace/contract';
import {
  flowGraph,
  presentExecution,
  presentFlow,
  presentPackedExecution,
  type ResolvedInput,
} from '@millrace/engine';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { deleteExecution } from '../../actions/deleteExecution.ts';
import { evaluateExpression } from '../../actions/evaluateExpression.ts';
import { expandSubflows } from '../../actions/expandSubflows.ts';
import { findExecution, findExecutionRecord } from '../../actions/findExecution.ts';
import { killExecution } from '../../actions/killExecution.ts';
import { linkToExecution } from '../../actions/linkToExecution.ts';
import { checkInputs, findFailedChecks } from '../../actions/readInputs.ts';
import { readBreakpoint } from '../../actions/resumeFromBreakpoint.ts';
import { startExecution } from '../../actions/startExecution.ts';
import { InputFiles, takeInputs } from '../../files/inputFiles.ts';
import type { Product } from '../../product.ts';
import { readDate } from '../../readDate.ts';
import { readFilters, readLabels } from '../filters.ts';
import { routeFlowsNamedLikeActions } from '../flowsNamedLikeActions.ts';
import { readIdempotencyKey } from '../idempotencyKey.ts';
import { type Call, mount } from '../mount.ts';
import { onBehalfOf } from '../onBehalfOf.ts';
import { toPageQuery } from '../paging.ts';
import type { QueryValues } from '../query.ts';
import { followDependencies } from '../streams/followDependencies.ts';
import { followExecution } from '../streams/followExecution.ts';

type ValidateCall = Pick<Call<typeof executions.validateInputs>, 'params' | 'query' | 'readForm'>;
type StartCall = Pick<
  Call<typeof executions.triggerExecution>,
  'params' | 'query' | 'readForm' | 'request' | 'reply'
>;

export function mountExecutions(app: FastifyInstance, product: Product): void {
  const { store, clock, config } = product;
  routeFlowsNamedLikeActions(app, product);

  mount(app, executions.searchExecutions, async ({ query, request }) => {
    const now = clock();
    const context = { now, systemNamespace: config.systemNamespace };
    const filters = readFilters(request.query as QueryValues, 'execution', context);
    const { results, total } = await store.listExecutions({ ...toPageQuery(query), filters });
    return {
      results: results.map(({ execution }) => presentExecution(execution, [], now)),
      total,
    };
  });

  mount(app, executions.getExecution, async ({ params, query }) => {
    const { execution, taskRuns } = await findExecution(product, params.executionId);
    const present = query.packed ? presentPackedExecution : presentExecution;
    return present(execution, taskRuns, clock());
  });

  mount(app, executions.getExecutionFlow, async ({ params }) => {
    return presentFlow(await findFlowOf(product, await findExecutionRecord(product, params.executionId)));
  });

  mount(app, executions.getExecutionGraph, async ({ params, query }) => {
    const { subflows = [] } = query;
    // A flow that a task calls may depend on the task run.
    const needsRuns = query.runs || subflows.length > 0;
    const { execution, taskRuns } = needsRuns
      ? await findExecution(product, params.executionId)
      : { execution: await findExecutionRecord(product, params.executionId), taskRuns: [] };
    const flow = await findFlowOf(product, execution);
    const views = presentExecution(execution, taskRuns, clock()).taskRunList ?? [];
    const render = async (text: string, taskRunId: string | undefined) => {
      const about = { executionId: execution.id, ...(taskRunId === undefined ? {} : { taskRunId }) };
      const { result, error } = await evaluateExpression(about, { text, isTyped: false }, product);
      if (result === undefined)
        throw new AppError('illegal-argument', `"${text}" has no value here: ${error}`);
      return result;
    };
    const drawn = { taskRuns: views, fold: query.fold, render };
    return flowGraph(flow, await expandSubflows(flow, subflows, product.flows, drawn));
  });

  mount(app, executions.followExecution, ({ params, query, reply }) =>
    followExecution(params.executionId, query, reply, product),
  );

  mount(app, executions.followDependencies, ({ params, query, reply }) =>
    followDependencies(params.executionId, query, reply, product),
  );

  const trigger = async ({ params, query, readForm, request, reply }: StartCall): Promise<Execution> => {
    // Before files are stored for it.
    product.controls.refuseStart('manual');
    const scheduledAt = query.scheduleDate === undefined ? undefined : readDate(query.scheduleDate);
    const key = readIdempotencyKey(request);
    const labels = labelsOf(query.labels);
    const { runnable } = await product.flows.findRunnable(params.namespace, params.id, query.revision);
    const executionId = product.newId();
    const run = { namespace: params.namespace, flowId: params.id, executionId };
    const started = await takeInputs(
      new InputFiles(runnable.inputs ?? [], run, product.files),
      readForm,
      (inputs) =>
        startExecution(
          {
            ...params,
            executionId,
            inputs,
            labels,
            ...(query.revision === undefined ? {} : { revision: query.revision }),
            ...(scheduledAt === undefined ? {} : { scheduledAt }),
            // A normal execution stores no kind.
            ...(query.kind === undefined || query.kind === 'NORMAL' ? {} : { kind: query.kind }),
            ...(query.breakpoints ? { breakpoints: query.breakpoints.map(readBreakpoint) } : {}),
            ...(key === undefined ? {} : { idempotencyKey: key }),
            ...(request.span ? { traceParent: request.span.traceParent } : {}),
          },
          onBehalfOf(request, product),
        ),
    );
    return query.wait ? waitForEnd(product, started, reply) : view(product, started);
  };
  mount(app, executions.triggerExecution, trigger);
  mount(app, executions.triggerExecutionByAlias, trigger);

  const validate = async ({ params, query, readForm }: ValidateCall) => {
    const { runnable } = await product.flows.findRunnable(params.namespace, params.id, query.revision);
    const executionId = product.newId();
    const run = { namespace: params.namespace, flowId: params.id, executionId };
    const wouldBe = new InputFiles(runnable.inputs ?? [], run, undefined);
    const { fields } = await readForm((file) => wouldBe.take(file));
    const { inputs, values, errors } = await checkInputs(runnable, fields, executionId, product);
    const checks = errors.length > 0 ? [] : await findFailedChecks(runnable, values, executionId, product);
    return { id: params.id, namespace: params.namespace, inputs: inputs.map(presentInput), checks };
  };
  mount(app, executions.validateInputs, validate);
  mount(app, executions.validateInputsByAlias, validate);

  mount(app, executions.killExecution, ({ params, query, request }) =>
    killExecution(params.executionId, query.isOnKillCascade, onBehalfOf(request, product)),
  );

  mount(app, executions.deleteExecution, ({ params, query }) =>
    deleteExecution(
      params.executionId,
      { logs: query.deleteLogs, metrics: query.deleteMetrics, storage: query.deleteStorage },
      product,
    ),
  );
}

async function findFlowOf({ flows }: Product, { namespace, flowId, flowRevision }: ExecutionRecord) {
  const stored = await flows.find(namespace, flowId, flowRevision);
  if (!stored)
    throw new AppError('not-found', `the revision ${flowRevision} of the flow "${flowId}" is gone`);
  return stored.flow;
}

/** The answer to a start: the execution as it was created, with the address of its page. */
export function view({ config, clock }: Product, execution: ExecutionRecord): Execution {
  const shown = presentExecution(execution, [], clock());
  shown.url = linkToExecution(config.url ?? '', execution);
  return shown;
}

/** The execution once it ended, or as it is when the client disconnects. */
export async function waitForEnd(
  product: Product,
  started: ExecutionRecord,
  { raw }: FastifyReply,
): Promise<Execution> {
  const { ended, stop } = product.executor.whenEnded(started.id);
  let leave = () => {};
  try {
    // It may have ended before we began to wait.
    const { closedAt } = await findExecutionRecord(product, started.id);
    const gone = new Promise<void>((resolve) => {
      leave = resolve;
      raw.once('close', leave);
    });
    if (closedAt === undefined && !raw.destroyed) await Promise.race([ended, gone]);
  } finally {
    raw.off('close', leave);
    stop();
  }
  const { execution, taskRuns } = await findExecution(product, started.id);
  return { ...view(product, execution), ...presentExecution(execution, taskRuns, product.clock()) };
}

export function presentInput({ input, value, enabled, isDefault, errors }: ResolvedInput) {
  return {
    input,
    ...(value === undefined ? {} : { value }),
    enabled,
    isDefault,
    errors: errors.map((message) => ({ message })),
  };
}

function labelsOf(labels: readonly string[] | undefined): Label[] {
  return readLabels(labels ?? []).map(([key, value]) => ({ key, value }));
}
