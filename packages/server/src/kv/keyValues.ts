import { AppError, kvKeyPattern } from '@millrace/contract';
import { Conflict, type KvEntryRecord, type Store, type StoredKv } from '@millrace/store';
import { checkNamespace, parentsOf } from '../namespaces/namespaceName.ts';
import { mayUse, type RestrictedNamespaces } from '../namespaces/namespaceReach.ts';
import type { TypedKvValue } from './readKvText.ts';

export interface KvWrite extends TypedKvValue {
  readonly namespace: string;
  readonly key: string;
  readonly ttlMs?: number;
  readonly description?: string;
  /** Refuse to replace a value that is there. */
  readonly mustBeNew?: boolean;
}

interface Parts {
  readonly store: Store;
  readonly clock: () => number;
  readonly restricted?: RestrictedNamespaces;
}

const maxKeyLength = 256;

/** The key-value store of namespaces. Expired entries are never returned, even before they are swept. */
export class KeyValues {
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #restricted: RestrictedNamespaces;

  constructor({ store, clock, restricted = {} }: Parts) {
    this.#store = store;
    this.#clock = clock;
    this.#restricted = restricted;
  }

  /** Refuses flows the entries of another namespace that is restricted, itself or through a parent. */
  checkReach(user: string, namespace: string): void {
    if (mayUse(user, namespace, this.#restricted)) return;
    throw new AppError(
      'illegal-argument',
      `the namespace "${user}" may not use the key-value store of the namespace "${namespace}"`,
    );
  }

  /** The entry of exactly this namespace; an expired entry is deleted and reported as `gone`. */
  async read(namespace: string, key: string): Promise<StoredKv> {
    checkKey(key);
    const found = await this.#store.getKv(namespace, key);
    if (!found) throw new AppError('not-found', `there is no key "${key}" in the namespace "${namespace}"`);
    if (!this.#isExpired(found)) return found;
    await this.#store.commit([{ op: 'kv.sweep', expiredAt: this.#clock() }]);
    throw new AppError('gone', `the value of the key "${key}" is gone`);
  }

  /** The value of a key in the namespace, or with `inherit` in the nearest one above it that has the key. */
  async find(key: string, namespace: string, inherit: boolean): Promise<StoredKv | undefined> {
    for (const place of inherit ? [namespace, ...parentsOf(namespace)] : [namespace]) {
      const found = await this.#store.getKv(place, key);
      if (found && !this.#isExpired(found)) return found;
    }
    return undefined;
  }

  async write({ namespace, key, type, value, ttlMs, description, mustBeNew }: KvWrite): Promise<void> {
    checkKey(key);
    checkNamespace(namespace);
    const now = this.#clock();
    const entry = {
      namespace,
      key,
      type,
      value,
      createdAt: now,
      updatedAt: now,
      ...(ttlMs === undefined ? {} : { expiresAt: now + ttlMs }),
      ...(description === undefined ? {} : { description }),
    };
    try {
      await this.#store.commit([{ op: 'kv.put', entry, ...(mustBeNew ? { mustBeNew } : {}) }]);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      const message = `the key "${key}" exists already in the namespace "${namespace}"`;
      throw new AppError('conflict', message, { cause: error });
    }
  }

  /** False when there was nothing to delete. */
  async delete(namespace: string, key: string): Promise<boolean> {
    checkKey(key);
    const found = await this.#store.getKv(namespace, key);
    if (!found) return false;
    try {
      await this.#store.commit([{ op: 'kv.delete', namespace, key }]);
      return !this.#isExpired(found);
    } catch (error) {
      if (error instanceof Conflict) return false;
      throw error;
    }
  }

  /** The entries of exactly one namespace, in the order of their keys. */
  async list(namespace: string, options: { expired: boolean }): Promise<readonly KvEntryRecord[]> {
    return this.#all([namespace], options.expired);
  }

  /** The entries that a namespace inherits: for each key it lacks, the entry of the nearest parent. */
  async listInherited(namespace: string): Promise<readonly KvEntryRecord[]> {
    const parents = parentsOf(namespace);
    const entries = parents.length === 0 ? [] : await this.#all(parents, false);
    const nearest = new Map<string, KvEntryRecord>();
    for (const parent of parents) {
      for (const entry of entries) {
        if (entry.namespace === parent && !nearest.has(entry.key)) nearest.set(entry.key, entry);
      }
    }
    return [...nearest.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  isExpired(entry: KvEntryRecord): boolean {
    return this.#isExpired(entry);
  }

  async #all(namespaces: readonly string[], expired: boolean): Promise<KvEntryRecord[]> {
    const filters = [{ field: 'namespace', operation: 'IN', value: namespaces }] as const;
    const entries: KvEntryRecord[] = [];
    for (let page = 1; ; page++) {
      const { results, total } = await this.#store.listKv({
        page,
        size: 1_000,
        filters,
        ...(expired ? {} : { aliveAt: this.#clock() }),
      });
      entries.push(...results);
      if (results.length === 0 || entries.length >= total) return entries;
    }
  }

  #isExpired({ expiresAt }: KvEntryRecord): boolean {
    return expiresAt !== undefined && expiresAt <= this.#clock();
  }
}

function checkKey(key: string): void {
  if (kvKeyPattern.test(key) && key.length <= maxKeyLength) return;
  const shown = key.length > maxKeyLength ? `${key.slice(0, 50)}…` : key;
  throw new AppError(
    'illegal-argument',
    `"${shown}" is not a key: letters, digits, ".", "-" and "_", at most ${maxKeyLength}, beginning with a letter or digit`,
  );
}
