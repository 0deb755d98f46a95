/** Which namespaces a rule is about: one and its children (absent: all), without some of those. */
export interface NamespaceScope {
  readonly within?: string;
  readonly except: readonly string[];
}

/** What has been over since before a moment and can go, the oldest first. */
export interface ExpiredQuery extends NamespaceScope {
  readonly before: number;
  readonly limit: number;
}

export interface ExpiredExecution {
  readonly id: string;
  readonly namespace: string;
  readonly flowId: string;
}
