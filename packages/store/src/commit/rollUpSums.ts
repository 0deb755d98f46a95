import {
  allNamespaces,
  blockSums,
  dayTotals,
  firstStepOfBlock,
  firstStepOfDay,
  noNamespace,
  rollUpSubjects,
  stepOf,
  stepsPerDay,
  wholeNamespace,
} from '../rows/rollUp.ts';
import type { SqlValue } from '../rows/value.ts';

/** Adds `n` (negative: subtracts) to a subject's count at a time under a word; ended runs have a duration. */
export type Counted = readonly [
  subject: number,
  namespace: string,
  flowId: string,
  at: number,
  word: string,
  n: number,
  duration: number | null,
];

interface Sum {
  readonly subject: number;
  readonly namespace: string;
  readonly flowId: string;
  readonly step: number;
  readonly word: string;
  n: number;
  duration: number;
  shortest: number | null;
  longest: number | null;
  /**
   * A run with a duration was removed: `shortest` and `longest` may be too wide until they are recomputed.
   */
  unsettled: 0 | 1;
}

/**
 * The roll-up of a group: one sum per subject, step, flow and word. The coarser sums (per namespace, per four
 * hours, over all namespaces, per day) are derived from these once, at the end of the group. Counts are
 * collected per unit and kept or dropped with it.
 */
export class RollUpSums {
  readonly #ofFlows = new Sums();
  #unit: Counted[] = [];

  add(counted: Counted): void {
    this.#unit.push(counted);
  }

  drop(): void {
    this.#unit = [];
  }

  keep(): void {
    for (const [subject, namespace, flowId, at, word, n, duration] of this.#unit) {
      const sum = this.#ofFlows.of(subject, namespace, flowId, stepOf(at), word);
      sum.n += n;
      if (duration === null) continue;
      sum.duration += n < 0 ? -duration : duration;
      if (n < 0) sum.unsettled = 1;
      else widen(sum, duration, duration);
    }
    this.#unit = [];
  }

  /** Rows of `roll_up`. */
  *rows(): Iterable<SqlValue[]> {
    for (const { subject, flowId, step, namespace, word, ...sum } of this.#all().changed()) {
      yield [
        subject,
        flowId,
        step,
        namespace,
        word,
        sum.n,
        sum.duration,
        sum.shortest,
        sum.longest,
        sum.unsettled,
      ];
    }
  }

  /** Rows of `execution_stats`. */
  days(): Iterable<SqlValue[]> {
    const days = new Map<string, SqlValue[]>();
    for (const { subject, flowId, step, namespace, word, n, duration } of this.#ofFlows.changed()) {
      if (subject !== rollUpSubjects.executions) continue;
      const day = Math.floor(step / stepsPerDay);
      const key = keyOf(subject, namespace, flowId, day, word);
      const known = days.get(key);
      if (known === undefined) days.set(key, [day, namespace, flowId, word, n, duration]);
      else {
        known[4] = Number(known[4]) + n;
        known[5] = Number(known[5]) + duration;
      }
    }
    return [...days.values()].filter((row) => row[4] !== 0 || row[5] !== 0);
  }

  #all(): Sums {
    const all = new Sums();
    for (const sum of this.#ofFlows.changed()) {
      const { subject, namespace, flowId, step, word } = sum;
      const block = firstStepOfBlock(step);
      addTo(all.of(subject, namespace, flowId, step, word), sum);
      addTo(all.of(subject, namespace, wholeNamespace, step, word), sum);
      addTo(all.of(subject + blockSums, namespace, flowId, block, word), sum);
      addTo(all.of(subject + blockSums, namespace, wholeNamespace, block, word), sum);
      addTo(all.of(subject + allNamespaces, noNamespace, wholeNamespace, step, word), sum);
      all.of(subject + dayTotals, namespace, wholeNamespace, firstStepOfDay(step), word).n += sum.n;
    }
    return all;
  }
}

/** Sums by key, created on first use. */
class Sums {
  readonly #sums = new Map<string, Sum>();

  *changed(): Iterable<Sum> {
    for (const sum of this.#sums.values()) {
      if (sum.n !== 0 || sum.duration !== 0 || sum.shortest !== null) yield sum;
    }
  }

  of(subject: number, namespace: string, flowId: string, step: number, word: string): Sum {
    const key = keyOf(subject, namespace, flowId, step, word);
    const known = this.#sums.get(key);
    if (known !== undefined) return known;
    const made: Sum = {
      subject,
      namespace,
      flowId,
      step,
      word,
      n: 0,
      duration: 0,
      shortest: null,
      longest: null,
      unsettled: 0,
    };
    this.#sums.set(key, made);
    return made;
  }
}

function addTo(sum: Sum, other: Sum): void {
  sum.n += other.n;
  sum.duration += other.duration;
  if (other.unsettled === 1) sum.unsettled = 1;
  if (other.shortest !== null && other.longest !== null) widen(sum, other.shortest, other.longest);
}

function widen(sum: Sum, shortest: number, longest: number): void {
  sum.shortest = Math.min(sum.shortest ?? shortest, shortest);
  sum.longest = Math.max(sum.longest ?? longest, longest);
}

/** The length prefix makes the key unambiguous; ten times cheaper than JSON. */
const keyOf = (subject: number, namespace: string, flowId: string, at: number, word: string): string =>
  `${subject} ${at} ${word} ${namespace.length} ${namespace}${flowId}`;
