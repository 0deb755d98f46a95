import type { Readable } from 'node:stream';
import { AppError } from '@millrace/contract';
import yauzl, { type Entry } from 'yauzl';

export interface ZipLimits {
  readonly maxEntries: number;
  /** Of everything unpacked: a small archive can hold terabytes of zeros. */
  readonly maxBytes: number;
}

export interface UnpackedEntry {
  /** Relative, with forward slashes, without `..`. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Fails during the read when the entry is longer than declared. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Yields the files of an archive and skips folders. An entry that could write outside of its folder or is not
 * a regular file makes the whole archive fail before its first file is yielded.
 */
export async function* readZip(file: string, limits: ZipLimits): AsyncGenerator<UnpackedEntry> {
  const zip = await openZip(file);
  try {
    const entries = await collect(zip, limits);
    checkAll(entries, limits);
    for (const entry of entries) {
      yield {
        path: entry.fileName,
        sizeBytes: entry.uncompressedSize,
        open: () => openEntry(zip, entry),
      };
    }
  } finally {
    zip.close();
  }
}

async function openZip(file: string) {
  try {
    return await yauzl.openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true });
  } catch (cause) {
    throw broken(cause);
  }
}

type Zip = Awaited<ReturnType<typeof openZip>>;

async function collect(zip: Zip, { maxEntries }: ZipLimits): Promise<Entry[]> {
  const entries: Entry[] = [];
  if (zip.entryCount > maxEntries) throw refuse(`it has more than ${maxEntries} files`);
  try {
    for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) entries.push(entry);
  } catch (cause) {
    throw broken(cause);
  }
  return entries;
}

async function openEntry(zip: Zip, entry: Entry): Promise<AsyncIterable<Uint8Array>> {
  const stream = await zip
    .openReadStreamPromise(entry)
    .catch((cause: unknown) => Promise.reject(broken(cause)));
  // The stream may fail before it is read; its reader gets the error later.
  stream.on('error', () => {});
  return describing(stream);
}

async function* describing(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    throw broken(cause);
  }
}

const fileTypeMask = 0o170000;
const regularFile = 0o100000;

function checkAll(entries: readonly Entry[], { maxBytes }: ZipLimits): void {
  const names = new Set<string>();
  let total = 0;
  for (const entry of entries) {
    const name = entry.fileName;
    const kind = (entry.externalFileAttributes >>> 16) & fileTypeMask;
    if (kind !== 0 && kind !== regularFile) throw refuse(`"${name}" is not a plain file`);
    if (!entry.canDecodeFileData()) throw refuse(`"${name}" is encrypted or packed in an unknown way`);
    if (names.has(name.toLowerCase())) throw refuse(`"${name}" appears twice`);
    names.add(name.toLowerCase());
    total += entry.uncompressedSize;
    if (total > maxBytes) throw refuse(`it unpacks to more than ${maxBytes} bytes`);
  }
}

const refuse = (reason: string): AppError =>
  new AppError('illegal-argument', `the archive cannot be taken: ${reason}`);

function broken(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AppError('illegal-argument', `the archive cannot be read: ${reason}`, { cause });
}
