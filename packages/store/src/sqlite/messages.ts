import type { Row, SqlValue } from '../rows/value.ts';
import type { UnitFailure } from './applyGroup.ts';

/** What both threads are started with. */
export interface ThreadData {
  readonly file: string;
  readonly handshake: Int32Array;
}

/** A job and its answer carry the same number. A job without a body asks the thread to close and end. */
export interface Job<B> {
  readonly id: number;
  readonly body?: B;
}

export type Answer<R> =
  | { readonly id: number; readonly result: R }
  | { readonly id: number; readonly error: string };

/** A group of units to commit, or the wish to tidy up a little. */
export type WriteJob = readonly (readonly SqlValue[])[] | 'tidy';
export interface WriteResult {
  readonly failures: readonly UnitFailure[];
  /** After tidying up: there is more to do. */
  readonly more: boolean;
}

export interface ReadJob {
  readonly text: string;
  readonly params: readonly SqlValue[];
}
export type ReadResult = readonly Row[];
