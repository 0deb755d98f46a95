import { type Host, render, renderDeep, renderTyped, type Variables } from '@millrace/expression';
import type { Resolution } from './event.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';
import { variablesOf } from './variables.ts';

/** Interrupts a decision until the value arrives from the host as a `resolved` event. */
export class Pending extends Error {
  constructor() {
    super('The value is being fetched.');
    this.name = 'Pending';
  }
}

/** Thrown by functions of an expression that need the host. */
class NeedsOutside extends Error {}

export type Mode = 'text' | 'typed' | 'deep';

/**
 * The value of a template in the context of a task run. Templates that only use the execution's own data are
 * rendered here; a secret, a stored value or a file needs a `resolve` effect, whose result is stored under
 * `key`.
 */
export function evaluate(
  run: Run,
  node: Node,
  key: string,
  template: unknown,
  mode: Mode,
  extra?: Variables,
): unknown {
  const known = node.record.memo?.[key] as Resolution | undefined;
  if (known) {
    if ('error' in known) throw new Error(known.error);
    return known.value;
  }
  try {
    const value = renderIn(mode, template, run, { ...variablesOf(run, node), ...extra });
    if (value instanceof Promise) {
      value.catch(() => undefined);
      throw new NeedsOutside();
    }
    return value;
  } catch (error) {
    if (!isOutsideNeeded(error)) throw error;
    run.emit({
      effect: 'resolve',
      taskRunId: node.record.id,
      key,
      expression: template,
      mode,
      ...(extra ? { extra } : {}),
    });
    throw new Pending();
  }
}

export const isOutsideNeeded = (error: unknown): boolean =>
  error instanceof NeedsOutside || (error instanceof Error && error.cause instanceof NeedsOutside);

function renderIn(mode: Mode, template: unknown, run: Run, variables: Variables): unknown {
  const host = hostOf(run);
  if (mode === 'deep') return renderDeep(template, variables, host);
  if (typeof template !== 'string') return template;
  return mode === 'typed' ? renderTyped(template, variables, host) : render(template, variables, host);
}

const outside = (): never => {
  throw new NeedsOutside();
};

export const hostOf = (run: Run): Host => ({
  now: () => run.now,
  random: () => run.environment.random(),
  id: () => run.environment.newId(),
  secret: outside,
  kv: outside,
  read: outside,
  fileSize: outside,
  fileExists: outside,
  isFileEmpty: outside,
  fileURI: outside,
  errorLogs: outside,
  http: outside,
  subflow: outside,
  randomPort: outside,
  isPublicHoliday: outside,
});
