/** Facts about a database, read without changing it and without the server. */
export interface StoreInspection {
  /** The database's schema version; 0 when there is none yet. */
  readonly schema: number;
  /** The newest schema version of this release. */
  readonly knownSchema: number;
  /** Whether this release reads the schema, or can upgrade it. */
  readonly isKnown: boolean;
  /** Problems that the database's own integrity check reports. */
  readonly problems: readonly string[];
  /** The date of the latest activity in the database. */
  readonly latestAt?: number;
  readonly executions: number;
  /** The number of open executions, and the oldest of them. */
  readonly open: number;
  readonly oldestOpen: readonly { readonly id: string; readonly state: string; readonly startedAt: number }[];
}

export interface UnreadableDocument {
  readonly kind: 'execution' | 'trigger' | 'template' | 'dashboard' | 'test';
  readonly name: string;
}

export interface StoreInspector {
  inspect(): Promise<StoreInspection>;
  /** Unreadable documents, by kind and name; for executions only open ones. */
  unreadable(): Promise<readonly UnreadableDocument[]>;
  /** The ids of this list that exist. */
  existing(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Servers with a heartbeat within the last minute that have written a marker into their internal storage.
   */
  markingServers(): Promise<readonly string[]>;
  close(): Promise<void>;
}
