import { AppError, type BlobEntry, type BlobStat, type BlobStore } from '@millrace/contract';
import { blobKey, type Store, toBlobUri } from '@millrace/store';
import { checkNamespace } from '../namespaces/namespaceName.ts';

interface Parts {
  readonly blobs: BlobStore;
  readonly store: Store;
}

/** The files of namespaces. Paths are given with or without a leading slash and mean the same. */
export class NamespaceFiles {
  readonly #blobs: BlobStore;
  readonly #store: Store;
  /** Namespaces that are marked in the store as having files. */
  readonly #marked = new Set<string>();

  constructor({ blobs, store }: Parts) {
    this.#blobs = blobs;
    this.#store = store;
  }

  /** Paths of all files, without the leading slash, sorted. */
  async list(namespace: string): Promise<string[]> {
    const root = rootOf(namespace);
    const paths: string[] = [];
    for await (const { key } of this.#blobs.walk(root)) paths.push(key.slice(root.length + 1));
    return paths.sort();
  }

  async read(namespace: string, path: string): Promise<AsyncIterable<Uint8Array>> {
    const content = await this.#blobs.read(keyOf(namespace, path));
    if (!content) throw missing(namespace, path);
    return content;
  }

  uriOf(namespace: string, path: string): string {
    return toBlobUri(keyOf(namespace, path));
  }

  async write(namespace: string, path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#blobs.put(filledKeyOf(namespace, path), content);
    await this.#mark(namespace);
  }

  async makeFolder(namespace: string, path: string): Promise<void> {
    await this.#blobs.makeFolder(filledKeyOf(namespace, path));
    await this.#mark(namespace);
  }

  /** A file or a whole folder. Folders above that are empty now go as well, but never the root. */
  async delete(namespace: string, path: string): Promise<boolean> {
    const root = rootOf(namespace);
    const key = filledKeyOf(namespace, path);
    const existed = await this.#blobs.delete(key);
    for (let above = parentOf(key); above !== root; above = parentOf(above)) {
      if ((await this.#blobs.list(above))?.length !== 0) break;
      await this.#blobs.delete(above);
    }
    await this.#unmarkIfEmpty(namespace);
    return existed;
  }

  /** Empties a namespace; its flows stay. */
  async deleteAll(namespace: string): Promise<void> {
    await this.#blobs.delete(rootOf(namespace));
    await this.#unmarkIfEmpty(namespace);
  }

  async move(namespace: string, from: string, to: string): Promise<void> {
    const [source, target] = [filledKeyOf(namespace, from), filledKeyOf(namespace, to)];
    if (target.startsWith(`${source}/`))
      throw new AppError('illegal-argument', `"${from}" cannot be moved into itself`);
    if (source.startsWith(`${target}/`))
      throw new AppError('illegal-argument', `"${from}" cannot take the place of a folder it is in`);
    if (!(await this.#blobs.move(source, target))) throw missing(namespace, from);
  }

  /** One level of a folder. The root is always there. */
  async listFolder(namespace: string, path: string): Promise<BlobEntry[]> {
    const key = keyOf(namespace, path);
    const entries = await this.#blobs.list(key);
    if (entries) return entries;
    if (key === rootOf(namespace)) return [];
    throw missing(namespace, path);
  }

  async stat(namespace: string, path: string): Promise<BlobStat> {
    const key = keyOf(namespace, path);
    const found = await this.#blobs.stat(key);
    if (found) return found;
    if (key === rootOf(namespace)) return { kind: 'folder', sizeBytes: 0, createdAt: 0, modifiedAt: 0 };
    throw missing(namespace, path);
  }

  /** Undefined when there is no such file. */
  async sizeOf(namespace: string, path: string): Promise<number | undefined> {
    const found = await this.#blobs.stat(keyOf(namespace, path));
    return found?.kind === 'file' ? found.sizeBytes : undefined;
  }

  async #mark(namespace: string): Promise<void> {
    if (this.#marked.has(namespace)) return;
    await this.#store.commit([{ op: 'fileNamespace.put', namespace, hasFiles: true }]);
    this.#marked.add(namespace);
  }

  async #unmarkIfEmpty(namespace: string): Promise<void> {
    const left = await this.#blobs.list(rootOf(namespace));
    if (left !== undefined && left.length > 0) return;
    this.#marked.delete(namespace);
    await this.#store.commit([{ op: 'fileNamespace.put', namespace, hasFiles: false }]);
  }
}

/** A flow's id starts with a letter or digit, so no flow's folder has this name. */
function rootOf(namespace: string): string {
  checkNamespace(namespace);
  return `${namespace.replaceAll('.', '/')}/_files`;
}

function keyOf(namespace: string, path: string): string {
  const root = rootOf(namespace);
  const inner = blobKey(path);
  return inner === '' ? root : blobKey(`${root}/${inner}`);
}

function filledKeyOf(namespace: string, path: string): string {
  const key = keyOf(namespace, path);
  if (key === rootOf(namespace)) throw new AppError('illegal-argument', `"${path}" names no file or folder`);
  return key;
}

const parentOf = (key: string): string => key.slice(0, key.lastIndexOf('/'));

const missing = (namespace: string, path: string): AppError =>
  new AppError('not-found', `there is no file "${path}" in the namespace "${namespace}"`);
