/** What can be said about a database without changing it, and without the server. */
export interface StoreInspection {
  /** The schema it has; 0 when there is none yet. */
  readonly schema: number;
  /** The newest schema that this release knows. */
  readonly knownSchema: number;
  /** What the database finds wrong with itself. */
  readonly problems: readonly string[];
  /** When the latest thing happened that it knows of. */
  readonly latestAt?: number;
  readonly executions: number;
  /** Executions that are not over, and the oldest of them. */
  readonly open: number;
  readonly oldestOpen: readonly { readonly id: string; readonly state: string; readonly startedAt: number }[];
}

export interface UnreadableDocument {
  readonly kind: 'execution' | 'trigger' | 'template' | 'dashboard';
  readonly name: string;
}

export interface StoreInspector {
  inspect(): Promise<StoreInspection>;
  /** Documents that cannot be read, by what they are and their name; of executions only those that are not over. */
  unreadable(): Promise<readonly UnreadableDocument[]>;
  /** Of these executions those that exist. */
  existing(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Servers that have reported within the last minute and have left a mark where they keep their files. */
  markingServers(): Promise<readonly string[]>;
  close(): Promise<void>;
}
