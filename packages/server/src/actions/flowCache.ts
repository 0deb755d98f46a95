import { AppError, type Flow, type FlowRecord } from '@millrace/contract';
import { applyDefaults, type Catalogue, describeErrors, onlyUnknownTypes, parseFlow } from '@millrace/engine';
import type { Store } from '@millrace/store';

/** A stored revision and its parsed source. */
export interface StoredFlow {
  readonly record: FlowRecord;
  /** The best reading of the source; without tasks when it cannot be read at all. */
  readonly flow: Flow;
  /** The flow with plugin defaults applied, as executions run it. The source never shows the defaults. */
  readonly runnable: Flow;
  /** Why the source cannot run: for example a missing plugin or a stricter rule. */
  readonly problem?: string;
  /** The types that no plugin provides, when nothing else is wrong. */
  readonly unknownTypes?: readonly string[];
}

const maxRevisions = 2_000;

/** Parsed flows by revision, the least recently used ones dropped. A revision never changes, only which is the latest. */
export class FlowCache {
  readonly #store: Store;
  readonly #catalogue: Catalogue;
  readonly #revisions = new Map<string, StoredFlow>();
  readonly #latest = new Map<string, StoredFlow>();
  #changes = 0;

  constructor(store: Store, catalogue: Catalogue) {
    this.#store = store;
    this.#catalogue = catalogue;
    store.onChange(({ flows, hasGap, isElsewhere }) => {
      for (const { namespace, id } of flows) {
        this.evict(namespace, id);
        // Another server may have deleted revisions, not only added one.
        if (isElsewhere) this.evictRevisions(namespace, id);
      }
      if (hasGap) this.#evictAll();
    });
  }

  /** The latest or the requested revision; deletion markers too. */
  async find(namespace: string, id: string, revision?: number): Promise<StoredFlow | undefined> {
    const key = `${namespace}/${id}`;
    const known = revision === undefined ? this.#latest.get(key) : this.#revisions.get(`${key}/${revision}`);
    if (known) return known;
    const changes = this.#changes;
    const record = await this.#store.getFlow(namespace, id, revision);
    if (!record) return undefined;
    const stored = this.read(record);
    // A flow saved during this read may be newer than the result of the read.
    if (revision === undefined && changes === this.#changes) {
      if (this.#latest.size >= maxRevisions) this.#latest.clear();
      this.#latest.set(key, stored);
    }
    return stored;
  }

  /** Whether this is known to be the latest revision, and to have no concurrency limit. */
  isUnlimited({ namespace, id, revision, concurrency }: Flow): boolean {
    return concurrency === undefined && this.#latest.get(`${namespace}/${id}`)?.record.revision === revision;
  }

  /** The flow to start executions of: it exists, is enabled and can be read. */
  async findRunnable(namespace: string, id: string, revision?: number): Promise<StoredFlow> {
    const stored = await this.find(namespace, id, revision);
    if (!stored || (stored.record.deleted && revision === undefined)) {
      throw new AppError('not-found', `there is no flow "${id}" in the namespace "${namespace}"`);
    }
    if (stored.problem !== undefined) {
      throw new AppError('illegal-state', `the flow "${id}" cannot be run: ${stored.problem}`);
    }
    if (stored.record.disabled) throw new AppError('illegal-state', `the flow "${id}" is disabled`);
    return stored;
  }

  /** Parses a record, or finds it parsed. */
  read(record: FlowRecord): StoredFlow {
    const key = `${record.namespace}/${record.id}/${record.revision}`;
    const known = this.#revisions.get(key);
    this.#revisions.delete(key);
    const stored = known ?? this.#parse(record);
    this.#revisions.set(key, stored);
    if (this.#revisions.size > maxRevisions) {
      for (const oldest of this.#revisions.keys()) {
        this.#revisions.delete(oldest);
        break;
      }
    }
    return stored;
  }

  evict(namespace: string, id: string): void {
    this.#changes++;
    this.#latest.delete(`${namespace}/${id}`);
  }

  /** After revisions were deleted. */
  evictRevisions(namespace: string, id: string): void {
    for (const key of [...this.#revisions.keys()]) {
      if (key.startsWith(`${namespace}/${id}/`)) this.#revisions.delete(key);
    }
  }

  #evictAll(): void {
    this.#changes++;
    this.#latest.clear();
    this.#revisions.clear();
  }

  #parse(record: FlowRecord): StoredFlow {
    const parsed = parseFlow(record.source, this.#catalogue);
    const { tenantId, namespace, id, revision, deleted, disabled } = record;
    const fixed = { tenantId, namespace, id, revision, deleted, disabled };
    const flow = parsed.flow ? { ...parsed.flow, ...fixed } : { ...fixed, tasks: [] };
    const problem = parsed.flow ? describeErrors(parsed.issues) : 'its source is not a flow';
    const unknownTypes = onlyUnknownTypes(parsed.issues);
    return {
      record,
      flow,
      runnable: applyDefaults(flow, { catalogue: this.#catalogue }),
      ...(problem === undefined ? {} : { problem }),
      ...(unknownTypes && { unknownTypes }),
    };
  }
}
