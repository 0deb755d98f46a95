import type { Flow } from '@millrace/contract';
import type { Event } from '../run/event.ts';
import type { LiveRun } from '../run/live.ts';
import type { Replayed } from '../run/replay.ts';
import type { RunEnvironment } from '../run/run.ts';
import type { Snapshot } from './invariants.ts';
import type { Random } from './random.ts';

/** How badly the world behaves, and how often users interfere. */
export interface World {
  readonly failure: number;
  readonly loss: number;
  readonly duplicate: number;
  readonly crash: number;
  /** An event is also applied to an execution loaded from the rows, to compare. */
  readonly twin: number;
  /** A user acts on a running execution. */
  readonly action: number;
  /** A user acts on an execution that has ended. */
  readonly repair: number;
}

/** A running simulation, as reactions and user actions use it. */
export interface Simulated {
  readonly live: LiveRun;
  readonly now: number;
  readonly flow: Flow;
  readonly random: Random;
  readonly world: World;
  readonly environment: RunEnvironment;
  post(event: Event, inMs?: number): void;
  deliver(event: Event): boolean;
  snapshot(): Snapshot;
  adopt(make: (id: string) => Replayed): void;
}
