import type { Effect, LiveRun } from '@millrace/engine';
import { render, renderDeep, renderTyped } from '@millrace/expression';
import { createMasker, messageOf } from '@millrace/plugin-kit';
import { throwIfUnavailable } from '@millrace/store';
import type { ExecutorParts } from '../executorParts.ts';
import type { ExecutorPort } from '../executorPort.ts';

/** Evaluates an expression that the engine cannot evaluate itself, because it reads files, keys or secrets. */
export function resolveExpression(
  run: LiveRun,
  { taskRunId, key, expression, mode, extra }: Extract<Effect, { effect: 'resolve' }>,
  { host: createHost }: Pick<ExecutorParts, 'host'>,
  executor: ExecutorPort,
): Promise<void> {
  const { execution } = run;
  const about = taskRunId === undefined ? { key } : { taskRunId, key };
  const variables = { ...run.variables(taskRunId), ...extra };
  const masker = createMasker(run.secretTexts());
  const { namespace } = execution;
  const host = createHost({ namespace, execution, mask: (text) => masker.add(text) });
  const evaluate = async () => {
    if (mode === 'deep') return renderDeep(expression, variables, host);
    if (typeof expression !== 'string') return expression;
    return mode === 'typed' ? renderTyped(expression, variables, host) : render(expression, variables, host);
  };
  return evaluate().then(
    (value) => executor.notify(execution.id, { type: 'resolved', ...about, result: { value } }),
    (error: unknown) => {
      throwIfUnavailable(error);
      executor.notify(execution.id, {
        type: 'resolved',
        ...about,
        result: { error: masker.mask(messageOf(error)) },
      });
    },
  );
}
