import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionRecord, LogLevel } from '@millrace/contract';
import { encryptedType } from '@millrace/engine';
import { type Host, render, renderDeep, renderTyped, type Variables } from '@millrace/expression';
import {
  createMasker,
  type DashboardStore,
  type FileStorage,
  type FlowStore,
  type KeyValueStore,
  type Masker,
  type Metric,
  type NamespaceFileStore,
  type OutboundClient,
  type PluginCatalogue,
  type ProductActions,
  type RunInfo,
  runTask,
  type TaskContext,
  TaskFailed,
} from '@millrace/plugin-kit';
import type { ProcessHelper } from '@millrace/plugin-scripts';
import type { CreateHost } from '../expressionHost.ts';
import type { GuardFiles } from '../files/guardedFiles.ts';
import { executionFolder, type InternalStorage, toStream } from '../files/internalStorage.ts';
import type { NamespaceFiles } from '../files/namespaceFiles.ts';
import type { KeyValues } from '../kv/keyValues.ts';
import type { TypeConfigurations } from '../plugins/configurations.ts';
import type { Encryption } from '../secrets/encryption.ts';
import type { Secrets } from '../secrets/environmentSecrets.ts';
import { readErrorLogs } from './errorLogs.ts';
import type { Interruption } from './interruption.ts';
import type { LogBuffer } from './logBuffer.ts';
import type { Attempt, Begun } from './worker.ts';

export interface ContextParts {
  readonly catalogue: PluginCatalogue;
  readonly secrets: Secrets;
  readonly host: CreateHost;
  readonly files: InternalStorage;
  /** Whose files a task may use. */
  readonly guardFiles: GuardFiles;
  readonly namespaceFiles: NamespaceFiles;
  readonly keyValues: KeyValues;
  readonly logs: LogBuffer;
  /** Forks the processes of tasks, beside the server. */
  readonly processes: ProcessHelper;
  /** HTTP under the policy of the configuration. */
  readonly outbound: OutboundClient;
  readonly clock: () => number;
  readonly configurations: TypeConfigurations;
  readonly encryption: Encryption | undefined;
  /** What tasks may ask of the product. */
  readonly actions: ProductActions;
  /** Flows as tasks of a namespace may use them. */
  readonly flowsFor: (namespace: string) => FlowStore;
  readonly dashboards: DashboardStore;
  /** Where the folders of running tasks are made. */
  readonly workFolder: string;
}

type Log = (level: LogLevel, message: string) => void | Promise<void>;

/** An attempt, or whatever else works like one: the evaluation of a trigger. */
type Opener = Pick<Attempt, 'taskRunId' | 'attempt' | 'directoryOf'> & {
  readonly task: { readonly id: string };
};
type Opening = Pick<Begun, 'variables' | 'secrets'> & {
  readonly execution: Pick<
    ExecutionRecord,
    'id' | 'tenantId' | 'namespace' | 'flowId' | 'flowRevision' | 'trigger'
  >;
  readonly taskRun: { readonly value?: string };
};

export interface OpenContext {
  readonly context: TaskContext;
  /** Removes what the attempt has left on this machine. */
  close(): void;
}

/** Makes what each attempt is given to work with. */
export class TaskContexts {
  readonly #shared: Pick<OneAttempt, 'parts' | 'namespaceFiles'>;

  constructor(parts: ContextParts) {
    this.#shared = { parts, namespaceFiles: namespaceFileStore(parts.namespaceFiles) };
  }

  open(attempt: Opener, begun: Opening, interruption: Interruption, log: Log): OpenContext {
    const { parts, namespaceFiles } = this.#shared;
    const context = new AttemptContext(attempt, begun, { parts, namespaceFiles, interruption, log });
    return { context, close: () => context.close() };
  }
}

interface OneAttempt {
  readonly parts: ContextParts;
  readonly namespaceFiles: NamespaceFileStore;
  readonly interruption: Interruption;
  readonly log: Log;
}

/**
 * What one attempt works with. A class and not a literal because of `signal`: every attempt makes one, and a getter in a
 * literal gives each object a shape of its own, which slows down whoever reads from it. What can be called is a field, so
 * that tasks may take it out (`const { log } = context`).
 */
class AttemptContext implements TaskContext {
  readonly run: RunInfo;
  readonly variables: Variables;
  readonly masker: Masker;
  readonly files: FileStorage;
  readonly kv: KeyValueStore;
  readonly namespaceFiles: NamespaceFileStore;
  readonly actions: ProductActions;
  readonly #attempt: Opener;
  readonly #one: OneAttempt;
  readonly #host: Host;
  #ownFolder: string | undefined;

  constructor(attempt: Opener, begun: Opening, one: OneAttempt) {
    const { parts } = one;
    const { execution } = begun;
    const masker = createMasker(begun.secrets);
    this.#attempt = attempt;
    this.#one = one;
    this.run = runInfo(attempt, begun);
    this.variables = begun.variables;
    this.masker = masker;
    const { namespace, executionId } = this.run;
    this.#host = parts.host({ namespace, execution, mask: (text) => masker.add(text) });
    this.#host.errorLogs = () => readErrorLogs(executionId, parts.actions, this.signal);
    this.files = fileStorage(parts.files, parts.guardFiles({ namespace, execution }), this.run, masker);
    this.kv = keyValueStore(parts.keyValues, this.run);
    this.namespaceFiles = one.namespaceFiles;
    this.actions = parts.actions;
  }

  get signal(): AbortSignal {
    return this.#one.interruption.signal;
  }

  get flows(): FlowStore {
    return this.#one.parts.flowsFor(this.run.namespace);
  }

  get dashboards(): DashboardStore {
    return this.#one.parts.dashboards;
  }

  readonly log: TaskContext['log'] = (level, message) => this.#one.log(level, this.masker.mask(message));

  readonly metric: TaskContext['metric'] = (metric) => {
    const { tenantId, namespace, flowId, executionId, taskId, taskRunId } = this.run;
    const { logs, clock } = this.#one.parts;
    const about = { tenantId, namespace, flowId, executionId, taskId, taskRunId, at: clock() };
    logs.addMetric(executionId, { ...about, ...coverMetric(metric, this.masker) });
  };

  readonly render: TaskContext['render'] = async (value, extra) =>
    renderDeep(value, withExtra(this.variables, extra), this.#host);

  readonly renderTyped: TaskContext['renderTyped'] = async (value, extra) =>
    renderTypedDeep(value, withExtra(this.variables, extra), this.#host);

  readonly secret: TaskContext['secret'] = async (name) => {
    const value = this.#one.parts.secrets.find(name);
    if (value === undefined) throw new TaskFailed(`Cannot find secret for key '${name}'.`, { retry: false });
    this.masker.add(value);
    return value;
  };

  readonly seal: TaskContext['seal'] = (text) => seal(text, this.masker, this.#one.parts.encryption);

  readonly workingDirectory: TaskContext['workingDirectory'] = async () => {
    const { directoryOf, taskRunId, attempt } = this.#attempt;
    const folder = join(this.#one.parts.workFolder, directoryOf ?? `${taskRunId}-${attempt}`);
    await mkdir(folder, { recursive: true });
    if (directoryOf === undefined) this.#ownFolder = folder;
    return folder;
  };

  readonly spawn: TaskContext['spawn'] = (request) =>
    this.#one.parts.processes.spawn({ ...request, signal: request.signal ?? this.signal });

  readonly fetch: TaskContext['fetch'] = (request) =>
    this.#one.parts.outbound.send({ ...request, signal: request.signal ?? this.signal });

  readonly mayReach: TaskContext['mayReach'] = (url) => this.#one.parts.outbound.check(url);

  readonly connect: TaskContext['connect'] = (request) =>
    this.#one.parts.outbound.connect({ ...request, signal: request.signal ?? this.signal });

  get lookup(): TaskContext['lookup'] {
    return this.#one.parts.outbound.lookup;
  }

  readonly runNested: TaskContext['runNested'] = async (task) =>
    runNested(this.#one.parts.catalogue, task, this);

  readonly findType: TaskContext['findType'] = (type) => this.#one.parts.catalogue.find(type)?.definition;

  readonly configuration: TaskContext['configuration'] = (type) => this.#one.parts.configurations.of(type);

  /** Nobody waits for it: what cannot be removed now is removed at the next start. */
  close(): void {
    if (this.#ownFolder !== undefined) rm(this.#ownFolder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Names and tags are for everybody to see. */
function coverMetric({ name, tags, ...value }: Metric, { mask }: Masker): Metric {
  const covered = Object.entries(tags ?? {}).map(([key, text]) => [mask(key), mask(text)]);
  return { ...value, name: mask(name), ...(tags && { tags: Object.fromEntries(covered) }) };
}

function seal(text: string, masker: Masker, encryption: Encryption | undefined): unknown {
  if (!encryption) {
    throw new TaskFailed('Nothing can be stored encrypted: this server has no "encryption.secretKey".', {
      retry: false,
    });
  }
  masker.add(text);
  return { type: encryptedType, value: encryption.encrypt(text) };
}

function runInfo(attempt: Opener, { execution, taskRun }: Opening): RunInfo {
  return {
    tenantId: execution.tenantId,
    namespace: execution.namespace,
    flowId: execution.flowId,
    flowRevision: execution.flowRevision,
    executionId: execution.id,
    taskId: attempt.task.id,
    taskRunId: attempt.taskRunId,
    attempt: attempt.attempt,
    ...(taskRun.value === undefined ? {} : { value: taskRun.value }),
  };
}

function withExtra(variables: Variables, extra: Variables | undefined): Variables {
  return extra ? { ...variables, ...extra } : variables;
}

async function renderTypedDeep(value: unknown, variables: Variables, host: Host): Promise<unknown> {
  if (typeof value === 'string') return renderTyped(value, variables, host);
  if (Array.isArray(value)) return Promise.all(value.map((item) => renderTypedDeep(item, variables, host)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [
    await render(key, variables, host),
    await renderTypedDeep(item, variables, host),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

function fileStorage(
  files: InternalStorage,
  guarded: ReturnType<GuardFiles>,
  run: RunInfo,
  masker: Masker,
): FileStorage {
  return {
    // Names are for everybody to see.
    put: (name, content) =>
      files.put([...executionFolder(run), 'tasks', run.taskId, run.taskRunId, masker.mask(name)], content),
    read: (uri) => guarded.read(uri),
    sizeOf: (uri) => guarded.sizeOf(uri),
    delete: (uri) => guarded.delete(uri),
    deleteOfExecution: () => files.deleteBelow(executionFolder(run)),
  };
}

function keyValueStore(keyValues: KeyValues, run: RunInfo): KeyValueStore {
  /** Every entry is used in the name of the flow that the task belongs to. */
  const reach = (namespace: string): string => {
    keyValues.checkReach(run.namespace, namespace);
    return namespace;
  };
  return {
    get: async (key, namespace) =>
      (await keyValues.find(key, reach(namespace ?? run.namespace), namespace === undefined))?.value,
    set: async (key, value, { namespace, overwrite, type, ttlMs, description }) =>
      keyValues.write({
        namespace: reach(namespace),
        key,
        type,
        value,
        mustBeNew: !overwrite,
        ...(ttlMs === undefined ? {} : { ttlMs }),
        ...(description === undefined ? {} : { description }),
      }),
    delete: async (key, namespace) => keyValues.delete(reach(namespace), key),
    list: async (namespace) =>
      (await keyValues.list(reach(namespace), { expired: true })).map((entry) => ({
        key: entry.key,
        expired: keyValues.isExpired(entry),
      })),
  };
}

function namespaceFileStore(files: NamespaceFiles): NamespaceFileStore {
  return {
    list: (namespace) => files.list(namespace),
    read: (namespace, path) => files.read(namespace, path),
    write: (namespace, path, content) => files.write(namespace, path, toStream(content)),
    delete: (namespace, path) => files.delete(namespace, path),
  };
}

async function runNested(
  catalogue: PluginCatalogue,
  task: Readonly<Record<string, unknown>>,
  context: TaskContext,
): Promise<Readonly<Record<string, unknown>>> {
  const definition = catalogue.find(String(task.type))?.definition;
  if (definition?.kind !== 'task' || definition.role !== 'task') {
    throw new TaskFailed(`There is no task type "${String(task.type)}" that a worker can run.`, {
      retry: false,
    });
  }
  const nested = { ...task, id: String(task.id ?? context.run.taskId), type: String(task.type) };
  return (await runTask(definition, nested, context)).outputs;
}
