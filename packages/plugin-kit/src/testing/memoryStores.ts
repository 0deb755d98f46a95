import { parse } from 'yaml';
import type {
  DashboardStore,
  FileContent,
  FileStorage,
  FlowCheck,
  FlowStore,
  KeyValueStore,
  NamespaceFileStore,
  StartFlowRequest,
  StoredDashboardText,
  StoredFlowText,
} from '../context.ts';

export async function toBytes(content: FileContent): Promise<Buffer> {
  if (typeof content === 'string') return Buffer.from(content);
  if (content instanceof Uint8Array) return Buffer.from(content);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}

const toPath = (uri: string): string => uri.replace(/^(millrace|kestra):\/\//, '');

export class MemoryFiles implements FileStorage {
  readonly byPath = new Map<string, Buffer>();

  async put(name: string, content: FileContent): Promise<string> {
    const path = `/files/${this.byPath.size}/${name}`;
    this.byPath.set(path, await toBytes(content));
    return `millrace://${path}`;
  }

  async read(uri: string): Promise<AsyncIterable<Uint8Array>> {
    const bytes = this.byPath.get(toPath(uri));
    if (!bytes) throw new Error(`The file ${uri} does not exist.`);
    return once(bytes);
  }

  async sizeOf(uri: string): Promise<number | undefined> {
    return this.byPath.get(toPath(uri))?.length;
  }

  async delete(uri: string): Promise<boolean> {
    return this.byPath.delete(toPath(uri));
  }

  async deleteOfExecution(): Promise<readonly string[]> {
    const uris = [...this.byPath.keys()].map((path) => `millrace://${path}`);
    this.byPath.clear();
    return uris;
  }

  async text(uri: string): Promise<string> {
    return (await toBytes(await this.read(uri))).toString('utf8');
  }
}

interface StoredValue {
  readonly value: unknown;
  readonly type: string;
  readonly ttlMs?: number;
}

export class MemoryKv implements KeyValueStore {
  readonly byNamespace = new Map<string, Map<string, StoredValue>>();
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  #in(namespace: string): Map<string, StoredValue> {
    const found = this.byNamespace.get(namespace) ?? new Map<string, StoredValue>();
    this.byNamespace.set(namespace, found);
    return found;
  }

  async get(key: string, namespace?: string): Promise<unknown> {
    if (namespace !== undefined) return this.#in(namespace).get(key)?.value;
    const parts = this.#home.split('.');
    for (let length = parts.length; length > 0; length--) {
      const found = this.#in(parts.slice(0, length).join('.')).get(key);
      if (found) return found.value;
    }
    return undefined;
  }

  async set(key: string, value: unknown, options: Parameters<KeyValueStore['set']>[2]): Promise<void> {
    const entries = this.#in(options.namespace);
    if (!options.overwrite && entries.has(key)) throw new Error(`The key "${key}" exists already.`);
    const { type, ttlMs } = options;
    entries.set(key, { value, type, ...(ttlMs !== undefined && { ttlMs }) });
  }

  async delete(key: string, namespace: string): Promise<boolean> {
    return this.#in(namespace).delete(key);
  }

  async list(namespace: string) {
    return [...this.#in(namespace)].map(([key, { ttlMs }]) => ({
      key,
      expired: ttlMs !== undefined && ttlMs <= 0,
    }));
  }
}

export class MemoryNamespaceFiles implements NamespaceFileStore {
  readonly byPath = new Map<string, Buffer>();

  async list(namespace: string): Promise<readonly string[]> {
    const prefix = `${namespace}:`;
    return [...this.byPath.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  }

  async read(namespace: string, path: string): Promise<AsyncIterable<Uint8Array>> {
    const bytes = this.byPath.get(`${namespace}:${path}`);
    if (!bytes) throw new Error(`The namespace ${namespace} has no file ${path}.`);
    return once(bytes);
  }

  async write(namespace: string, path: string, content: FileContent): Promise<void> {
    this.byPath.set(`${namespace}:${path}`, await toBytes(content));
  }

  async delete(namespace: string, path: string): Promise<boolean> {
    return this.byPath.delete(`${namespace}:${path}`);
  }
}

/** Flows by namespace and id; a flow is valid when it has both and tasks. */
export class MemoryFlows implements FlowStore {
  readonly byName = new Map<string, StoredFlowText>();
  readonly started: StartFlowRequest[] = [];

  async start(request: StartFlowRequest) {
    if (!this.byName.has(`${request.namespace}/${request.id}`)) throw new Error('There is no such flow.');
    this.started.push(request);
    return { id: `started${this.started.length}`, state: 'CREATED' as const };
  }

  async list(namespace: string, { children }: { readonly children: boolean }) {
    return [...this.byName.values()]
      .filter(
        (flow) => flow.namespace === namespace || (children && flow.namespace.startsWith(`${namespace}.`)),
      )
      .sort((a, b) => (`${a.namespace}/${a.id}` < `${b.namespace}/${b.id}` ? -1 : 1));
  }

  async namespaces(): Promise<readonly string[]> {
    return [...new Set([...this.byName.values()].map(({ namespace }) => namespace))].sort();
  }

  async find(namespace: string, id: string): Promise<StoredFlowText | undefined> {
    return this.byName.get(`${namespace}/${id}`);
  }

  async check(source: string): Promise<FlowCheck> {
    try {
      const { id, namespace, tasks } = parse(source) ?? {};
      if (typeof id !== 'string' || typeof namespace !== 'string') return { problem: 'id: must be given' };
      return Array.isArray(tasks) ? { namespace, id } : { problem: 'tasks: must be given' };
    } catch (error) {
      return { problem: String(error) };
    }
  }

  async save(source: string): Promise<StoredFlowText> {
    const checked = await this.check(source);
    if (checked.problem !== undefined) throw new Error(checked.problem);
    const { namespace, id } = checked;
    const before = await this.find(namespace, id);
    if (before?.source === source) return before;
    const saved = { namespace, id, revision: (before?.revision ?? 0) + 1, source };
    this.byName.set(`${namespace}/${id}`, saved);
    return saved;
  }

  async delete(namespace: string, id: string): Promise<boolean> {
    return this.byName.delete(`${namespace}/${id}`);
  }
}

export class MemoryDashboards implements DashboardStore {
  readonly byId = new Map<string, StoredDashboardText>();

  async list(): Promise<readonly StoredDashboardText[]> {
    return [...this.byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async check(source: string): Promise<string | undefined> {
    return parse(source)?.title ? undefined : 'title: must be given';
  }

  async save(id: string, source: string): Promise<void> {
    this.byId.set(id, { id, title: String(parse(source)?.title), source });
  }

  async delete(id: string): Promise<boolean> {
    return this.byId.delete(id);
  }
}
