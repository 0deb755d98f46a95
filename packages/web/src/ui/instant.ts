import { createContext, use } from 'react';

/** A moment of the past that a part of a page shows, within the time that it can show. */
export interface Instant {
  readonly atMs: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Inside of it, clocks stand still at the moment. */
export const InstantContext = createContext<Instant | undefined>(undefined);

/** The moment that is shown; undefined in the present. */
export const useInstant = (): Instant | undefined => use(InstantContext);
