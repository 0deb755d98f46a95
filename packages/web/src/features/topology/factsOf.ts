import type { GraphNode } from '@millrace/contract';
import { controlTypeOf } from '@millrace/engine';

export type FactKind =
  | 'condition'
  | 'schedule'
  | 'loop'
  | 'retry'
  | 'timeout'
  | 'concurrency'
  | 'allowFailure'
  | 'subflow';

/** A property that decides when, whether or how often a task runs. */
export interface Fact {
  readonly kind: FactKind;
  readonly text: string;
}

/** The facts worth showing on a node, the most telling first. */
export function factsOf(node: GraphNode | undefined): readonly Fact[] {
  const definition = node?.task ?? node?.triggerDeclaration;
  if (!definition) return none;
  const facts: Fact[] = [];
  const add = (kind: FactKind, value: unknown) => {
    const text = textOf(value);
    if (text !== undefined) facts.push({ kind, text });
  };
  const { cron, interval, condition, runIf, values, value, retry, timeout, concurrencyLimit, flowId } =
    definition as Readonly<Record<string, unknown>>;
  const control = controlTypeOf(definition.type ?? '');
  if (node?.triggerDeclaration) {
    add('schedule', cron ?? interval);
    return facts;
  }
  add('condition', condition);
  if (control === 'core.flow.Switch') add('condition', value);
  if (control === 'core.flow.ForEach') add('loop', Array.isArray(values) ? `× ${values.length}` : values);
  if (control === 'core.flow.EachSequential' || control === 'core.flow.EachParallel')
    add('loop', Array.isArray(value) ? `× ${value.length}` : value);
  if (control === 'core.flow.Subflow') add('subflow', flowId);
  add('condition', runIf);
  add('concurrency', concurrencyLimit);
  add('retry', retryOf(retry));
  add('timeout', timeout);
  if (definition.allowFailure === true) add('allowFailure', 'allowFailure');
  return facts.length > 0 ? facts : none;
}

const none: readonly Fact[] = [];

/** `3 × PT10S`, as far as both are written. */
function retryOf(retry: unknown): string | undefined {
  if (typeof retry !== 'object' || retry === null) return undefined;
  const { maxAttempts, maxAttempt, interval } = retry as Readonly<Record<string, unknown>>;
  const attempts = textOf(maxAttempts ?? maxAttempt);
  const parts = [attempts && `${attempts} ×`, textOf(interval)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(' ') : 'retry';
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '') return undefined;
  // An expression reads better without its braces.
  return value.replace(/^\s*\{\{-?\s*([^{}]*?)\s*-?\}\}\s*$/, '$1').replaceAll(/\s+/g, ' ');
}
