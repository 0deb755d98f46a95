/** A statement that took long, with placeholders instead of values. */
export interface SlowQuery {
  readonly statement: string;
  readonly count: number;
  readonly maxMs: number;
  readonly totalMs: number;
  readonly lastAt: number;
}

export interface DatabaseFacts {
  readonly kind: 'SQLite' | 'PostgreSQL';
  readonly version: string;
  /** The number of the last migration. */
  readonly migration: number;
  readonly sizeBytes: number;
  /** Absent when the database user may not see it. */
  readonly walBytes?: number;
  /** Connections of all programs; absent on SQLite. */
  readonly connections?: { readonly used: number; readonly max: number };
}

/** Reads for operators. */
export interface HealthReads {
  describeDatabase(): Promise<DatabaseFacts>;
  /** The slowest statements of this process since its start, the slowest first. */
  slowQueries(): readonly SlowQuery[];
}
