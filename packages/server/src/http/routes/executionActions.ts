import { type Execution, type ExecutionRecord, executionActions, type StateType } from '@millrace/contract';
import { presentExecution } from '@millrace/engine';
import type { ExecutionWithTaskRuns } from '@millrace/store';
import type { FastifyInstance } from 'fastify';
import { changeStatus } from '../../actions/changeStatus.ts';
import { changeTaskRunState } from '../../actions/changeTaskRunState.ts';
import { evaluateExpression } from '../../actions/evaluateExpression.ts';
import { findExecutionRecord } from '../../actions/findExecution.ts';
import { forceRun } from '../../actions/forceRun.ts';
import { pauseExecution } from '../../actions/pauseExecution.ts';
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
import { required } from '../required.ts';
import { presentInput } from './executions.ts';

/** What can be asked of one execution. Preconditions are the engine's; here they only get their status. */
export function mountExecutionActions(app: FastifyInstance, product: Product): void {
  const view = async (changed: Promise<ExecutionWithTaskRuns>, state?: StateType): Promise<Execution> => {
    const { execution, taskRuns } = await changed;
    return presentExecution(state ? atState(execution, state) : execution, taskRuns, product.clock());
  };

  mount(app, executionActions.restartExecution, ({ params, query }) =>
    view(restartExecution(params.executionId, query.revision, product), 'RESTARTED'),
  );

  mount(app, executionActions.replayExecution, ({ params, query }) =>
    view(replayExecution(params.executionId, replayOf(query), product)),
  );

  mount(app, executionActions.replayWithInputs, async ({ params, query, readForm }) => {
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
      const made = await replayExecution(params.executionId, { ...replayOf(query), inputs, id }, product);
      return { id: made.execution.id, ...made };
    });
    return view(Promise.resolve({ execution: replayed, taskRuns }));
  });

  mount(app, executionActions.changeStatus, ({ params, query }) =>
    view(changeStatus(params.executionId, required(query.status, 'status'), product)),
  );

  mount(app, executionActions.changeTaskRunState, ({ params, body }) =>
    view(changeTaskRunState(params.executionId, body, product), 'RESTARTED'),
  );

  mount(app, executionActions.pauseExecution, ({ params }) => pauseExecution(params.executionId, product));

  mount(app, executionActions.resumeExecution, async ({ params, readForm }) => {
    const files = await pauseFiles(params.executionId, product.files, product);
    await takeInputs(files, readForm, async (inputs) => {
      await resumeExecution(params.executionId, inputs, product);
      return undefined;
    });
  });

  mount(app, executionActions.validateResume, async ({ params, readForm }) => {
    const files = await pauseFiles(params.executionId, undefined, product);
    const { fields } = await readForm((file) => files.take(file));
    const { execution, inputs } = await checkResume(params.executionId, fields, product);
    return { id: execution.flowId, namespace: execution.namespace, inputs: inputs.map(presentInput) };
  });

  mount(app, executionActions.resumeFromBreakpoint, ({ params, query }) =>
    resumeFromBreakpoint(params.executionId, query.breakpoints?.map(readBreakpoint), product),
  );

  mount(app, executionActions.unqueueExecution, ({ params, query: { state } }) =>
    view(unqueueExecution(params.executionId, state, product), state),
  );

  mount(app, executionActions.forceRun, ({ params }) => view(forceRun(params.executionId, product)));

  mount(app, executionActions.setLabels, ({ params, body }) =>
    view(setLabels(params.executionId, body, product)),
  );

  mount(app, executionActions.evaluateExpression, ({ params, text }) =>
    evaluateExpression(params, text ?? '', product),
  );

  mount(app, executionActions.evaluateInTaskRun, ({ params, text }) =>
    evaluateExpression(params, text ?? '', product),
  );
}

/**
 * An execution as a request has left it. The step goes on from there, and what only computes may be over before the
 * answer is written; clients count on the state that they asked for.
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
