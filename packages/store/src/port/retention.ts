/** The namespaces that a rule covers: one and its children (absent: all), except those listed. */
export interface NamespaceScope {
  readonly within?: string;
  readonly except: readonly string[];
}

/** Selects records that finished before a given time and can be deleted, oldest first. */
export interface ExpiredQuery extends NamespaceScope {
  readonly before: number;
  readonly limit: number;
}

export interface ExpiredExecution {
  readonly id: string;
  readonly namespace: string;
  readonly flowId: string;
}
