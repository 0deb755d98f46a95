import { type Execution, executionActions } from '@millrace/contract';
import { presentExecution } from '@millrace/engine';
import type { ExecutionWithTaskRuns } from '@millrace/store';
import type { FastifyInstance } from 'fastify';
import { changeStatus } from '../../actions/changeStatus.ts';
import { changeTaskRunState } from '../../actions/changeTaskRunState.ts';
import { evaluateExpression } from '../../actions/evaluateExpression.ts';
import { forceRun } from '../../actions/forceRun.ts';
import { pauseExecution } from '../../actions/pauseExecution.ts';
import { type ReplayRequest, replayExecution } from '../../actions/replayExecution.ts';
import { restartExecution } from '../../actions/restartExecution.ts';
import { checkResume, resumeExecution } from '../../actions/resumeExecution.ts';
import { setLabels } from '../../actions/setLabels.ts';
import { unqueueExecution } from '../../actions/unqueueExecution.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { required } from '../required.ts';
import { inputsOf, presentInput } from './executions.ts';

/** What can be asked of one execution. Preconditions are the engine's; here they only get their status. */
export function mountExecutionActions(app: FastifyInstance, product: Product): void {
  const view = async (changed: Promise<ExecutionWithTaskRuns>): Promise<Execution> => {
    const { execution, taskRuns } = await changed;
    return presentExecution(execution, taskRuns, product.clock());
  };

  mount(app, executionActions.restartExecution, ({ params, query }) =>
    view(restartExecution(params.executionId, query.revision, product)),
  );

  mount(app, executionActions.replayExecution, ({ params, query }) =>
    view(replayExecution(params.executionId, replayOf(query), product)),
  );

  mount(app, executionActions.replayWithInputs, async ({ params, query, readForm }) => {
    const inputs = inputsOf(await readForm());
    return view(replayExecution(params.executionId, { ...replayOf(query), inputs }, product));
  });

  mount(app, executionActions.changeStatus, ({ params, query }) =>
    view(changeStatus(params.executionId, required(query.status, 'status'), product)),
  );

  mount(app, executionActions.changeTaskRunState, ({ params, body }) =>
    view(changeTaskRunState(params.executionId, body, product)),
  );

  mount(app, executionActions.pauseExecution, ({ params }) => pauseExecution(params.executionId, product));

  mount(app, executionActions.resumeExecution, async ({ params, readForm }) =>
    resumeExecution(params.executionId, inputsOf(await readForm()), product),
  );

  mount(app, executionActions.validateResume, async ({ params, readForm }) => {
    const { fields } = await readForm();
    const { execution, inputs } = await checkResume(params.executionId, fields, product);
    return { id: execution.flowId, namespace: execution.namespace, inputs: inputs.map(presentInput) };
  });

  mount(app, executionActions.unqueueExecution, ({ params }) =>
    view(unqueueExecution(params.executionId, product)),
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

function replayOf(query: {
  readonly taskRunId?: string | undefined;
  readonly revision?: number | undefined;
}): ReplayRequest {
  return {
    ...(query.taskRunId === undefined ? {} : { taskRunId: query.taskRunId }),
    ...(query.revision === undefined ? {} : { revision: query.revision }),
  };
}
