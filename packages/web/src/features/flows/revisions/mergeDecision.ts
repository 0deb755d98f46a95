/** What the user decided when another user saved the same flow meanwhile. */
export interface MergeDecision {
  readonly theirs: { readonly source: string; readonly revision: number };
  /** Absent when the text shall overwrite the other one. */
  readonly merged?: string;
}
