import { AppError, expressions, outputs } from '@millrace/contract';
import { hideSealed } from '@millrace/engine';
import { render } from '@millrace/expression';
import { messageOf } from '@millrace/plugin-kit';
import type { FastifyInstance } from 'fastify';
import { findExecution } from '../../actions/findExecution.ts';
import { searchOutputs } from '../../actions/searchOutputs.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { required } from '../required.ts';

/** The outputs of executions, and the rendering of expressions without an execution. */
export function mountOutputs(app: FastifyInstance, product: Product): void {
  mount(app, outputs.getOutputs, async ({ params }) => {
    const { taskRuns } = await findExecution(product, params.executionId);
    const byTask: Record<string, unknown> = {};
    for (const { taskId, value, outputs: own } of taskRuns) {
      if (own === undefined) continue;
      const before = byTask[taskId];
      // The task of a loop has outputs for every value.
      const values = typeof before === 'object' && before !== null ? before : {};
      byTask[taskId] = value === undefined ? own : { ...values, [value]: own };
    }
    return hideSealed(byTask);
  });

  mount(app, outputs.searchOutputs, async ({ params, query }) => {
    const { taskRuns } = await findExecution(product, params.executionId);
    const { results, total } = searchOutputs(taskRuns, required(query.q, 'q'));
    return { results: [...results], total };
  });

  mount(app, outputs.getTaskRunOutputs, async ({ params }) => {
    const { taskRuns } = await findExecution(product, params.executionId);
    const taskRun = taskRuns.find(({ id }) => id === params.taskRunId);
    if (!taskRun) throw new AppError('not-found', `there is no task run "${params.taskRunId}"`);
    return { ...hideSealed(taskRun.outputs ?? {}) };
  });

  mount(app, expressions.renderExpressions, async ({ body }) => {
    const { globals, envs } = product.environment;
    const variables = { globals: globals ?? {}, envs: envs ?? {} };
    // Key-value entries belong to a namespace, and there is none here.
    const host = { ...product.host({ namespace: '' }), hidesSecrets: true };
    const rendered: Record<string, string> = {};
    for (const expression of body.expressions) {
      try {
        rendered[expression] = await render(expression, variables, host);
      } catch (error) {
        throw new AppError('illegal-argument', messageOf(error), { cause: error });
      }
    }
    return { rendered };
  });
}
