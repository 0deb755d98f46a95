import type { Row, SqlValue } from '../rows/value.ts';
import type { UnitFailure } from './applyGroup.ts';

/** The start parameters of both threads. */
export interface ThreadData {
  readonly file: string;
  readonly exitGuard: Int32Array;
}

/** A job and its response have the same id. A job without a body asks the thread to close and exit. */
export interface Job<B> {
  readonly id: number;
  readonly body?: B;
}

export type Answer<R> =
  | { readonly id: number; readonly result: R }
  | { readonly id: number; readonly error: string };

/** A group of units to commit, or a request for one step of housekeeping. */
export type WriteJob = readonly (readonly SqlValue[])[] | 'tidy';
export interface WriteResult {
  readonly failures: readonly UnitFailure[];
  /** After housekeeping: there is more to do. */
  readonly more: boolean;
}

export interface ReadJob {
  readonly text: string;
  readonly params: readonly SqlValue[];
}
export type ReadResult = readonly Row[];
