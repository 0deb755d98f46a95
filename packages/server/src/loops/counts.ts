/** What has happened since the start, for the metrics. */
export interface Counts {
  started: number;
  ended: number;
  attempts: number;
  /** From creation to end, of all that ended. */
  durationMs: number;
}

export const noCounts = (): Counts => ({ started: 0, ended: 0, attempts: 0, durationMs: 0 });
