import {
  allNamespaces,
  dayTotals,
  firstStepOfDay,
  noNamespace,
  rollUpSubjects,
  stepOf,
  stepsPerDay,
  wholeNamespace,
} from '../rows/rollUp.ts';
import type { SqlValue } from '../rows/value.ts';

/** `n` of a subject begin to count (or, below zero, cease to) at a moment, under a word; what ended has a duration. */
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
  /** Something with a duration left: the extremes may be too wide until they are looked up again. */
  doubt: 0 | 1;
}

/**
 * The roll-up of a group: one sum per subject, step, flow and word, one without the flow,
 * one without the namespace, and one of the day. Counts are collected per unit and kept or dropped with it.
 */
export class RollUpSums {
  readonly #sums = new Map<string, Sum>();
  #unit: Counted[] = [];

  add(counted: Counted): void {
    this.#unit.push(counted);
  }

  drop(): void {
    this.#unit = [];
  }

  keep(): void {
    for (const counted of this.#unit) {
      const [subject, namespace, flowId, at, word] = counted;
      const step = stepOf(at);
      this.#addTo(this.#sumOf(subject, namespace, flowId, step, word), counted);
      this.#addTo(this.#sumOf(subject, namespace, wholeNamespace, step, word), counted);
      this.#addTo(this.#sumOf(subject + allNamespaces, noNamespace, wholeNamespace, step, word), counted);
      this.#sumOf(subject + dayTotals, namespace, wholeNamespace, firstStepOfDay(at), word).n += counted[5];
    }
    this.#unit = [];
  }

  /** Rows of `roll_up`. */
  *rows(): Iterable<SqlValue[]> {
    for (const { subject, flowId, step, namespace, word, ...sum } of this.#changed()) {
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
        sum.doubt,
      ];
    }
  }

  /** Rows of `execution_stats`. */
  days(): Iterable<SqlValue[]> {
    const days = new Map<string, SqlValue[]>();
    for (const { subject, flowId, step, namespace, word, n, duration } of this.#changed()) {
      if (subject !== rollUpSubjects.executions || flowId === wholeNamespace) continue;
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

  *#changed(): Iterable<Sum> {
    for (const sum of this.#sums.values()) {
      if (sum.n !== 0 || sum.duration !== 0 || sum.shortest !== null) yield sum;
    }
  }

  #sumOf(subject: number, namespace: string, flowId: string, step: number, word: string): Sum {
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
      doubt: 0,
    };
    this.#sums.set(key, made);
    return made;
  }

  #addTo(sum: Sum, [, , , , , n, duration]: Counted): void {
    sum.n += n;
    if (duration === null) return;
    sum.duration += n < 0 ? -duration : duration;
    if (n < 0) sum.doubt = 1;
    else {
      sum.shortest = Math.min(sum.shortest ?? duration, duration);
      sum.longest = Math.max(sum.longest ?? duration, duration);
    }
  }
}

/** The lengths keep apart what would otherwise read the same; ten times cheaper than JSON. */
const keyOf = (subject: number, namespace: string, flowId: string, at: number, word: string): string =>
  `${subject} ${at} ${word} ${namespace.length} ${namespace}${flowId}`;
