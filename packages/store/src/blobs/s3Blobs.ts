import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { BlobEntry, BlobStat, BlobStore, ByteRange } from '@millrace/contract';
import type { S3Config } from './blobConfig.ts';
import { encodeKey, S3Client } from './s3Client.ts';
import { type Listed, listObjects } from './s3List.ts';
import { upload } from './s3Upload.ts';

/** The size limit of a server-side copy. */
const maxCopyBytes = 5 * 1_073_741_824;
const deletedAtOnce = 1_000;

/**
 * Internal storage in a bucket. A bucket has no folders: a folder exists when a key begins with its name and
 * a slash, and an empty folder is an object of that name without content.
 */
export class S3Blobs implements BlobStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  private constructor(config: S3Config) {
    this.#client = new S3Client(config);
    this.#bucket = config.bucket;
    const prefix = (config.prefix ?? '').replace(/^\/+|\/+$/g, '');
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
  }

  /** Fails immediately when the bucket is not usable, not at the first file access. */
  static async open(config: S3Config): Promise<S3Blobs> {
    const blobs = new S3Blobs(config);
    await blobs.#list('', { pageSize: 1 }).next();
    return blobs;
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    await upload(this.#client, this.#prefix + key, content);
  }

  async read(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    const response = await this.#client.call('GET', this.#prefix + key, { headers, accept: [404, 416] });
    if (response.status === 404) return undefined;
    // A range after the end of the file: there is nothing to read.
    if (response.status === 416 || !response.body) return Readable.from([]);
    // `as`: two declarations of the same type.
    const stream = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    // The stream may fail before it is read; the reader then gets the error.
    stream.on('error', () => {});
    return stream;
  }

  async stat(key: string): Promise<BlobStat | undefined> {
    if (key !== '') {
      const response = await this.#client.call('HEAD', this.#prefix + key, { accept: [404] });
      if (response.ok) {
        const modifiedAt = Date.parse(response.headers.get('last-modified') ?? '') || 0;
        const sizeBytes = Number(response.headers.get('content-length') ?? 0);
        return { kind: 'file', sizeBytes, createdAt: modifiedAt, modifiedAt };
      }
    }
    const first = await this.#list(folderOf(key), { pageSize: 1 }).next();
    return first.done ? undefined : folder(first.value.modifiedAt);
  }

  async list(key: string): Promise<BlobEntry[] | undefined> {
    const prefix = folderOf(key);
    const entries: BlobEntry[] = [];
    let isThere = key === '';
    for await (const { key: found, isFolder, ...rest } of this.#list(prefix, { delimiter: '/' })) {
      isThere = true;
      if (isFolder) entries.push({ key: found.slice(0, -1), ...folder(0) });
      else if (found !== prefix) entries.push({ key: found, ...file(rest) });
    }
    return isThere ? entries.sort((a, b) => (a.key < b.key ? -1 : 1)) : undefined;
  }

  async *walk(key: string): AsyncIterable<BlobEntry> {
    for await (const { key: found, ...rest } of this.#list(folderOf(key))) {
      if (!found.endsWith('/')) yield { key: found, ...file(rest) };
    }
  }

  async makeFolder(key: string): Promise<void> {
    if (key !== '') await this.#client.call('PUT', `${this.#prefix}${key}/`, { body: '' });
  }

  async move(from: string, to: string): Promise<boolean> {
    const found = await this.stat(from);
    if (!found) return false;
    if (from === to) return true;
    if (found.kind === 'file') {
      await this.#deleteBelow(to);
      await this.#copy(from, to, found.sizeBytes);
      return this.delete(from);
    }
    const keys: { key: string; sizeBytes: number }[] = [];
    for await (const entry of this.#list(folderOf(from))) keys.push(entry);
    await this.delete(to);
    for (const { key, sizeBytes } of keys) await this.#copy(key, to + key.slice(from.length), sizeBytes);
    await this.#deleteAll(keys.map(({ key }) => key));
    return true;
  }

  async delete(key: string): Promise<boolean> {
    const found =
      key === '' ? undefined : await this.#client.call('HEAD', this.#prefix + key, { accept: [404] });
    if (found?.ok) await this.#client.call('DELETE', this.#prefix + key, { accept: [404] });
    return (await this.#deleteBelow(key)) || found?.ok === true;
  }

  async #deleteBelow(key: string): Promise<boolean> {
    let some = false;
    let batch: string[] = [];
    const flush = async () => {
      await this.#deleteAll(batch);
      batch = [];
    };
    for await (const entry of this.#list(folderOf(key))) {
      some = true;
      batch.push(entry.key);
      if (batch.length === deletedAtOnce) await flush();
    }
    await flush();
    return some;
  }

  async #deleteAll(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += deletedAtOnce) {
      const batch = keys.slice(at, at + deletedAtOnce).map((key) => this.#prefix + key);
      await this.#client.deleteAll(batch);
    }
  }

  /**
   * Uses a server-side copy where supported; some services lack it, or parse the source address differently.
   */
  async #copy(from: string, to: string, sizeBytes: number): Promise<void> {
    if (sizeBytes < maxCopyBytes) {
      const source = `/${this.#bucket}/${encodeKey(this.#prefix + from)}`;
      const response = await this.#client.call('PUT', this.#prefix + to, {
        headers: { 'x-amz-copy-source': source },
        accept: [400, 404, 501],
      });
      if (response.ok) return;
    }
    const content = await this.read(from);
    if (content) await this.put(to, content);
  }

  async *#list(
    prefix: string,
    options: { delimiter?: string; pageSize?: number } = {},
  ): AsyncGenerator<Listed> {
    for await (const listed of listObjects(this.#client, this.#prefix + prefix, options)) {
      yield { ...listed, key: listed.key.slice(this.#prefix.length) };
    }
  }
}

const folderOf = (key: string): string => (key === '' ? '' : `${key}/`);

const folder = (modifiedAt: number): BlobStat => ({
  kind: 'folder',
  sizeBytes: 0,
  createdAt: modifiedAt,
  modifiedAt,
});

const file = ({ sizeBytes, modifiedAt }: { sizeBytes: number; modifiedAt: number }): BlobStat => ({
  kind: 'file',
  sizeBytes,
  createdAt: modifiedAt,
  modifiedAt,
});
