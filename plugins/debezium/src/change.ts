export type Values = Readonly<Record<string, unknown>>;

/** One changed row: created, updated, deleted, or read by the first snapshot. */
export interface Change {
  readonly operation: 'c' | 'u' | 'd' | 'r';
  readonly database: string;
  readonly schema?: string;
  readonly table: string;
  readonly key: Values;
  readonly before: Values | null;
  readonly after: Values | null;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  /** The position of the change in the database's log. */
  readonly source: Values;
  /** Names the change: the same one has the same name when it is read again. */
  readonly id: string;
}

export interface ChangeSource {
  /** The next change; undefined when none arrives in time. */
  next(waitMs: number): Promise<Change | undefined>;
  /** True until the rows that were there at the beginning are read. */
  isInSnapshot(): boolean;
  /** Whether the position says how far the first snapshot was read, so that it may be interrupted. */
  readonly resumesSnapshot: boolean;
  /** The position after the last change taken, as JSON. */
  position(): unknown;
  /** Acknowledges the changes taken so far: they are stored, so the database may discard them. */
  confirm(): Promise<void>;
  close(): Promise<void>;
}

const patterns = (value: unknown): readonly RegExp[] => {
  const list = Array.isArray(value)
    ? value
    : value === undefined || value === null
      ? []
      : String(value).split(',');
  return list.map((each) => new RegExp(`^(?:${String(each).trim()})$`, 'i'));
};

/** Whether names are wanted, by lists of regular expressions as Debezium has them. */
export function createFilter(included: unknown, excluded: unknown): (...names: readonly string[]) => boolean {
  const [only, never] = [patterns(included), patterns(excluded)];
  return (...names) => {
    const matches = (list: readonly RegExp[]) =>
      list.some((pattern) => names.some((name) => pattern.test(name)));
    return (only.length === 0 || matches(only)) && !matches(never);
  };
}
