/** A file, or a folder, of internal storage. Dates are milliseconds since the epoch. */
export interface BlobStat {
  readonly kind: 'file' | 'folder';
  /** 0 for a folder. */
  readonly sizeBytes: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

export interface BlobEntry extends BlobStat {
  /** The whole key. */
  readonly key: string;
}

export interface ByteRange {
  readonly start: number;
  /** The last byte to read, inclusive. */
  readonly end: number;
}

/**
 * File storage: a folder of this machine or a bucket. Each has one implementation, and both pass the same
 * suite. Content is streamed: no method holds a whole file in memory. Keys come only from `blobKey`.
 */
export interface BlobStore {
  /** Writes a file atomically and replaces an existing one. Folders above it need not exist. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** The content, or a part of it; undefined when there is no such file. */
  read(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  stat(key: string): Promise<BlobStat | undefined>;
  /** One level of a folder, sorted by key; undefined when there is no such folder. */
  list(folder: string): Promise<BlobEntry[] | undefined>;
  /** Every file below a folder, in no defined order. */
  walk(folder: string): AsyncIterable<BlobEntry>;
  makeFolder(key: string): Promise<void>;
  /** Moves a file or a folder and replaces the target; false when there is nothing to move. */
  move(from: string, to: string): Promise<boolean>;
  /** Deletes a file, or a folder with everything in it; false when there was nothing. */
  delete(key: string): Promise<boolean>;
}
