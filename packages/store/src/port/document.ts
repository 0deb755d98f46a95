/**
 * A small record that the server keeps besides executions, such as an alert rule or a message to deliver. The
 * store knows its kind, its id and the date by which its kind is read in order; the rest is data.
 */
export interface DocumentRecord {
  readonly kind: string;
  readonly id: string;
  /** The record that this one belongs to; the records of one parent can be listed. */
  readonly parent?: string;
  readonly at: number;
  readonly data: unknown;
}

/** `version` counts how often the record was written. */
export interface StoredDocument extends DocumentRecord {
  readonly version: number;
}

export type DocumentOp =
  /** Inserts or replaces. `expectVersion` is the stored version, 0 for none; absent: no guard. */
  | { op: 'document.put'; document: DocumentRecord; expectVersion?: number }
  /** With `expectVersion` a Conflict when the stored version is another one, or there is no record. */
  | { op: 'document.delete'; kind: string; id: string; expectVersion?: number }
  /** Removes all records of a kind whose date is before this one. */
  | { op: 'document.sweep'; kind: string; before: number };

/** Documents of this kind control all servers: a change of them is announced to every process. */
export const controlKind = 'instance.control';

/** One kind in the order of its dates, in `from <= at < to`. */
export interface DocumentQuery {
  readonly kind: string;
  readonly parent?: string;
  readonly from?: number;
  readonly to?: number;
  readonly descending?: true;
  readonly limit: number;
  readonly offset?: number;
}

export interface DocumentReads {
  getDocument(kind: string, id: string): Promise<StoredDocument | undefined>;
  /** Records of one kind by their dates, oldest first unless `descending`; unreadable ones are left out. */
  listDocuments(query: DocumentQuery): Promise<StoredDocument[]>;
  /** Counts up to `limit`. */
  countDocuments(query: DocumentQuery): Promise<number>;
}
