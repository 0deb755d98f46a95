import { findLocale } from './dates/names.ts';
import { findZone, type Zone } from './dates/zone.ts';
import { ExpressionError } from './error.ts';
import { type Answer, type Host, Lazy, type Variables } from './host.ts';
import type { Limits } from './limits.ts';

/** Thrown when the host returns a promise; `run` catches it, awaits the promise and evaluates again. */
class Suspension {
  readonly promise: Promise<unknown>;

  constructor(promise: Promise<unknown>) {
    this.promise = promise;
  }
}

type Recorded = { readonly value: unknown } | { readonly error: unknown };

/**
 * One rendering: its variables, its host, and the steps it has used.  Evaluation is synchronous. When the
 * host returns a promise, the session aborts the evaluation, awaits the promise, records its result, and
 * evaluates again with all recorded results. This is correct because an expression depends only on its
 * variables and the host's results, and it keeps every closure, filter and jq program free of async.
 */
export class Session {
  readonly variables: Variables;
  readonly host: Host;
  readonly limits: Limits;
  readonly isRecursive: boolean;
  private steps = 0;
  private answers: Recorded[] | null = null;
  private cursor = 0;
  private lazies: Map<Lazy, unknown> | null = null;
  private zoneFound: Zone | null = null;

  constructor(variables: Variables, host: Host, limits: Limits, isRecursive: boolean) {
    this.variables = variables;
    this.host = host;
    this.limits = limits;
    this.isRecursive = isRecursive;
  }

  /** The zone of the server. */
  get zone(): Zone {
    this.zoneFound ??= findZone(this.host.timeZone ?? 'UTC');
    return this.zoneFound;
  }

  get locale(): string {
    return this.host.locale === undefined ? 'en-US' : findLocale(this.host.locale);
  }

  charge(steps: number): void {
    this.steps += steps;
    if (this.steps > this.limits.maxSteps) {
      throw new ExpressionError(`The expression takes more than ${this.limits.maxSteps} steps`, 'limit');
    }
  }

  /** Copying a container costs more than reading it, because it also takes memory. */
  chargeCopy(): void {
    this.charge(8);
  }

  checkText(length: number): void {
    if (length > this.limits.maxText) {
      throw new ExpressionError(`The text exceeds ${this.limits.maxText} characters`, 'limit');
    }
  }

  checkItems(count: number): void {
    if (count > this.limits.maxItems) {
      throw new ExpressionError(`The list or map exceeds ${this.limits.maxItems} items`, 'limit');
    }
  }

  checkDepth(depth: number): void {
    if (depth > this.limits.maxDepth) {
      throw new ExpressionError(`The value nests deeper than ${this.limits.maxDepth} levels`, 'limit');
    }
  }

  /** A root variable; undefined when there is none of that name. */
  variable(name: string): unknown {
    if (!Object.hasOwn(this.variables, name)) return undefined;
    const value = this.variables[name];
    return value instanceof Lazy ? this.compute(value) : value;
  }

  /** Calls the host, or returns the recorded result of the same call. */
  ask<T>(question: () => Answer<T>): T {
    this.answers ??= [];
    const index = this.cursor++;
    const known = this.answers[index];
    if (known !== undefined) {
      if ('error' in known) throw known.error;
      return known.value as T; // recorded from the same question, hence of its type
    }
    if (index >= this.limits.maxHostCalls) {
      throw new ExpressionError(
        `The expression asks the host more than ${this.limits.maxHostCalls} times`,
        'limit',
      );
    }
    const answer = question();
    if (isPromise(answer)) throw new Suspension(answer);
    this.answers[index] = { value: answer };
    return answer;
  }

  /** Runs an evaluation; the result is a promise only if the host returned one. */
  run<T>(evaluate: () => T): T | Promise<T> {
    try {
      return evaluate();
    } catch (error) {
      if (error instanceof Suspension) return this.resume(error, evaluate);
      throw error;
    }
  }

  private async resume<T>(first: Suspension, evaluate: () => T): Promise<T> {
    let suspension = first;
    for (;;) {
      const recorded = await settle(suspension.promise);
      this.answers?.push(recorded);
      this.cursor = 0;
      this.steps = 0;
      // Recomputed lazies call the host again in the same order and get the recorded results.
      this.lazies = null;
      try {
        return evaluate();
      } catch (error) {
        if (!(error instanceof Suspension)) throw error;
        suspension = error;
      }
    }
  }

  private compute(value: Lazy): unknown {
    this.lazies ??= new Map();
    if (this.lazies.has(value)) return this.lazies.get(value);
    const computed = this.ask(() => value.compute());
    this.lazies.set(value, computed);
    return computed;
  }
}

export function isSuspension(error: unknown): boolean {
  return error instanceof Suspension;
}

export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

async function settle(promise: Promise<unknown>): Promise<Recorded> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error };
  }
}
