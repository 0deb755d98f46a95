import { type Execution, type ExecutionRecord, executionActions, type StateType } from '@millrace/contract';
import { presentExecution, presentPackedExecution } from '@millrace/engine';
import type { ExecutionWithTaskRuns } from '@millrace/store';
import type { FastifyInstance } from 'fastify';
import { changeStatus } from '../../actions/changeStatus.ts';
import { changeTaskRunState } from '../../actions/changeTaskRunState.ts';
import { evaluateExpression } from '../../actions/evaluateExpression.ts';
import { findExecutionRecord } from '../../actions/findExecution.ts';
import { forceRun } from '../../actions/forceRun.ts';
import { forkExecution } from '../../actions/forkExecution.ts';
import { pauseExecution } from '../../actions/pauseExecution.ts';
import { renderProperties } from '../../actions/renderProperties.ts';
import { type ReplayRequest, replayExecution } from '../../actions/replayExecution.ts';
import { restartExecution } from '../../actions/restartExecution.ts';
import { checkResume, findPause, resumeExecution } from '../../actions/resumeExecution.ts';
import { readBreakpoint, resumeFromBreakpoint } from '../../actions/resumeFromBreakpoint.ts';
import { setLabels } from '../../actions/setLabels.ts';
import { unqueueExecution } from '../../actions/unqueueExecution.ts';
import { InputFiles, takeInputs } from '../../files/inputFiles.ts';
import type { InternalStorage } from '../../files/internalStorage.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { onBehalfOf } from '../onBehalfOf.ts';
import { required } from '../required.ts';
import { presentInput } from './executions.ts';

/** The actions on one execution. The engine checks preconditions; the routes only map them to a status. */
export function mountExecutionActions(app: FastifyInstance, product: Product): void {
  const view = async (
    changed: Promise<ExecutionWithTaskRuns>,
    { state, packed = false }: { readonly state?: StateType; readonly packed?: boolean } = {},
  ): Promise<Execution> => {
    const { execution, taskRuns } = await changed;
    const present = packed ? presentPackedExecution : presentExecution;
    return present(state ? atState(execution, state) : execution, taskRuns, product.clock());
  };

  mount(app, executionActions.restartExecution, ({ params, query, request }) =>
    view(restartExecution(params.executionId, query.revision, onBehalfOf(request, product)), {
      state: 'RESTARTED',
      packed: query.packed,
    }),
  );

  mount(app, executionActions.replayExecution, ({ params, query, request }) =>
    view(replayExecution(params.executionId, replayOf(query), onBehalfOf(request, product)), {
      packed: query.packed,
    }),
  );

  mount(app, executionActions.replayWithInputs, async ({ params, query, request, readForm }) => {
    const execution = await findExecutionRecord(product, params.executionId);
    const { namespace, flowId } = execution;
    const found = await product.flows.find(namespace, flowId);
    const id = product.newId();
    const files = new InputFiles(
      found?.flow.inputs ?? [],
      { namespace, flowId, executionId: id },
      product.files,
    );
    const { execution: replayed, taskRuns } = await takeInputs(files, readForm, async (inputs) => {
      const wanted = { ...replayOf(query), inputs, id };
      const made = await replayExecution(params.executionId, wanted, onBehalfOf(request, product));
      return { id: made.execution.id, ...made };
    });
    return view(Promise.resolve({ execution: replayed, taskRuns }), { packed: query.packed });
  });

  mount(app, executionActions.forkExecution, ({ params, query, body, request }) =>
    view(forkExecution(params, body, onBehalfOf(request, product)), { packed: query.packed }),
  );

  mount(app, executionActions.changeStatus, ({ params, query, request }) =>
    view(changeStatus(params.executionId, required(query.status, 'status'), onBehalfOf(request, product))),
  );

  mount(app, executionActions.changeTaskRunState, ({ params, body, request }) =>
    view(changeTaskRunState(params.executionId, body, onBehalfOf(request, product)), { state: 'RESTARTED' }),
  );

  mount(app, executionActions.pauseExecution, ({ params, request }) =>
    pauseExecution(params.executionId, onBehalfOf(request, product)),
  );

  mount(app, executionActions.resumeExecution, async ({ params, request, readForm }) => {
    const files = await pauseFiles(params.executionId, product.files, product);
    await takeInputs(files, readForm, async (inputs) => {
      await resumeExecution(params.executionId, inputs, onBehalfOf(request, product));
      return undefined;
    });
  });

  mount(app, executionActions.validateResume, async ({ params, readForm }) => {
    const files = await pauseFiles(params.executionId, undefined, product);
    const { fields } = await readForm((file) => files.take(file));
    const { execution, inputs } = await checkResume(params.executionId, fields, product);
    return { id: execution.flowId, namespace: execution.namespace, inputs: inputs.map(presentInput) };
  });

  mount(app, executionActions.resumeFromBreakpoint, ({ params, query, request }) =>
    resumeFromBreakpoint(
      params.executionId,
      query.breakpoints?.map(readBreakpoint),
      onBehalfOf(request, product),
    ),
  );

  mount(app, executionActions.unqueueExecution, ({ params, query: { state }, request }) =>
    view(unqueueExecution(params.executionId, state, onBehalfOf(request, product)), { state }),
  );

  mount(app, executionActions.forceRun, ({ params, request }) =>
    view(forceRun(params.executionId, onBehalfOf(request, product))),
  );

  mount(app, executionActions.setLabels, ({ params, body, request }) =>
    view(setLabels(params.executionId, body, onBehalfOf(request, product))),
  );

  mount(app, executionActions.evaluateExpression, ({ params, query, text }) =>
    evaluateExpression(params, { text: text ?? '', isTyped: query.typed }, product),
  );

  mount(app, executionActions.evaluateInTaskRun, ({ params, query, text }) =>
    evaluateExpression(params, { text: text ?? '', isTyped: query.typed }, product),
  );

  mount(app, executionActions.renderProperties, ({ params }) => renderProperties(params, product));
}

/**
 * An execution in the state that a request set. The execution continues, and pure tasks may finish before the
 * response is written; clients expect the state that they asked for.
 */
function atState(execution: ExecutionRecord, state: StateType): ExecutionRecord {
  const { histories } = execution.state;
  const at = histories.findLastIndex((history) => history.state === state);
  if (at < 0) return execution;
  return { ...execution, state: { current: state, histories: histories.slice(0, at + 1) } };
}

function replayOf(query: {
  readonly taskRunId?: string | undefined;
  readonly revision?: number | undefined;
}): ReplayRequest {
  return {
    ...(query.taskRunId === undefined ? {} : { taskRunId: query.taskRunId }),
    ...(query.revision === undefined ? {} : { revision: query.revision }),
  };
}

/** Files for the pause that an execution waits at. */
async function pauseFiles(
  id: string,
  files: InternalStorage | undefined,
  product: Product,
): Promise<InputFiles> {
  const { execution, inputs } = await findPause(id, product);
  const { namespace, flowId } = execution;
  return new InputFiles(inputs, { namespace, flowId, executionId: id }, files);
}
