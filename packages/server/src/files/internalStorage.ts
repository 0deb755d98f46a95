import { AppError, type BlobStore, type ByteRange } from '@millrace/contract';
import type { FileContent } from '@millrace/plugin-kit';
import { blobKey, blobPart, fromBlobUri, toBlobUri } from '@millrace/store';

/** Files by their URIs, as flows, tasks and clients use internal storage. */
export class InternalStorage {
  readonly #blobs: BlobStore;

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /** Stores a file at a path of segments and returns its URI. A user's file name is always one segment. */
  async put(segments: readonly string[], content: FileContent): Promise<string> {
    const key = blobKey(segments.map(blobPart).join('/'));
    await this.#blobs.put(key, toStream(content));
    return toBlobUri(key);
  }

  uriOf(segments: readonly string[]): string {
    return toBlobUri(blobKey(segments.map(blobPart).join('/')));
  }

  async read(uri: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>> {
    const content = await this.#blobs.read(fromBlobUri(uri), range);
    if (!content) throw new AppError('not-found', `there is no file "${uri}"`);
    return content;
  }

  /** Undefined when there is no such file. */
  async sizeOf(uri: string): Promise<number | undefined> {
    const found = await this.#blobs.stat(fromBlobUri(uri));
    return found?.kind === 'file' ? found.sizeBytes : undefined;
  }

  async delete(uri: string): Promise<boolean> {
    if ((await this.sizeOf(uri)) === undefined) return false;
    return this.#blobs.delete(fromBlobUri(uri));
  }

  /** Every file below a path of segments, in no particular order. */
  async *walk(segments: readonly string[]): AsyncGenerator<{ uri: string; key: string; modifiedAt: number }> {
    const folder = blobKey(segments.map(blobPart).join('/'));
    for await (const { key, modifiedAt } of this.#blobs.walk(folder))
      yield { uri: toBlobUri(key), key, modifiedAt };
  }

  /** Deletes everything below a path of segments and returns the URIs. */
  async deleteBelow(segments: readonly string[]): Promise<string[]> {
    const folder = blobKey(segments.map(blobPart).join('/'));
    const uris: string[] = [];
    for await (const { key } of this.#blobs.walk(folder)) uris.push(toBlobUri(key));
    await this.#blobs.delete(folder);
    return uris;
  }
}

/** Where the files of an execution live. */
export function executionFolder(run: { namespace: string; flowId: string; executionId: string }): string[] {
  return [...run.namespace.split('.'), run.flowId, 'executions', run.executionId];
}

export async function* toStream(content: FileContent): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content);
  else if (content instanceof Uint8Array) yield content;
  else yield* content;
}

/** The whole text of a file; throws when the file is larger than `maxBytes`. */
export async function readText(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of content) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes)
      throw new AppError(
        'illegal-argument',
        `the file is larger than ${maxBytes} bytes and cannot be read as text`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
