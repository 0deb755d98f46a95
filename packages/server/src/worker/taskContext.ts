import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionRecord, LogLevel } from '@millrace/contract';
import { type DynamicTaskRun, encryptedType } from '@millrace/engine';
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
import { readErrorLogs } from '../logs/errorLogs.ts';
import type { LogBuffer } from '../logs/logBuffer.ts';
import type { TypeConfigurations } from '../plugins/configurations.ts';
import type { Encryption } from '../secrets/encryption.ts';
import type { Secrets } from '../secrets/environmentSecrets.ts';
import type { Interruption } from './interruption.ts';
import type { Attempt, StartedAttempt } from './worker.ts';

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
  /** Forks the processes of tasks outside of the server process. */
  readonly processes: ProcessHelper;
  /** HTTP under the policy of the configuration. */
  readonly outbound: OutboundClient;
  readonly clock: () => number;
  readonly configurations: TypeConfigurations;
  readonly encryption: Encryption | undefined;
  /** The product's actions for tasks. */
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
type Opening = Pick<StartedAttempt, 'variables' | 'secrets'> & {
  readonly execution: Pick<
    ExecutionRecord,
    'id' | 'tenantId' | 'namespace' | 'flowId' | 'flowRevision' | 'trigger'
  >;
  readonly taskRun: { readonly value?: string };
};

export interface OpenContext {
  readonly context: TaskContext;
  /** The child task runs that the task has added. */
  readonly children: readonly DynamicTaskRun[];
  /** Removes the local files of the attempt. */
  close(): void;
}

/** Makes what each attempt is given to work with. */
export class TaskContexts {
  readonly #shared: Pick<OneAttempt, 'parts' | 'namespaceFiles'>;

  constructor(parts: ContextParts) {
    this.#shared = { parts, namespaceFiles: namespaceFileStore(parts.namespaceFiles) };
  }

  open(attempt: Opener, started: Opening, interruption: Interruption, log: Log): OpenContext {
    const { parts, namespaceFiles } = this.#shared;
    const context = new AttemptContext(attempt, started, { parts, namespaceFiles, interruption, log });
    return { context, children: context.children, close: () => context.close() };
  }
}

/** All children are part of one event, which has to stay small enough to store. */
const maxChildren = 2_000;

interface OneAttempt {
  readonly parts: ContextParts;
  readonly namespaceFiles: NamespaceFileStore;
  readonly interruption: Interruption;
  readonly log: Log;
}

/**
 * The context of one attempt. It is a class because of `signal`: a getter in an object literal gives each
 * object a separate hidden class, which slows down its readers. Everything else is a field, so that tasks may
 * destructure the context (`const { log } = context`) and copy it with another signal; triggers get such a copy.
 */
class AttemptContext implements TaskContext {
  readonly run: RunInfo;
  readonly variables: Variables;
  readonly masker: Masker;
  readonly files: FileStorage;
  readonly kv: KeyValueStore;
  readonly namespaceFiles: NamespaceFileStore;
  readonly flows: FlowStore;
  readonly dashboards: DashboardStore;
  readonly lookup: TaskContext['lookup'];
  readonly actions: ProductActions;
  readonly #attempt: Opener;
  readonly #one: OneAttempt;
  readonly #host: Host;
  readonly children: DynamicTaskRun[] = [];
  #hasTooMany = false;
  #ownFolder: string | undefined;

  constructor(attempt: Opener, started: Opening, one: OneAttempt) {
    const { parts } = one;
    const { execution } = started;
    const masker = createMasker(started.secrets);
    this.#attempt = attempt;
    this.#one = one;
    this.run = runInfo(attempt, started);
    this.variables = started.variables;
    this.masker = masker;
    const { namespace, executionId } = this.run;
    this.#host = parts.host({ namespace, execution, mask: (text) => masker.add(text) });
    this.#host.errorLogs = () => readErrorLogs(executionId, parts.actions, this.signal);
    this.files = fileStorage(parts.files, parts.guardFiles({ namespace, execution }), this.run, masker);
    this.kv = keyValueStore(parts.keyValues, this.run);
    this.namespaceFiles = one.namespaceFiles;
    this.flows = parts.flowsFor(namespace);
    this.dashboards = parts.dashboards;
    this.lookup = parts.outbound.lookup;
    this.actions = parts.actions;
  }

  get signal(): AbortSignal {
    return this.#one.interruption.signal;
  }

  readonly log: TaskContext['log'] = (level, message) => this.#one.log(level, this.masker.mask(message));

  readonly metric: TaskContext['metric'] = (metric) => {
    const { tenantId, namespace, flowId, executionId, taskId, taskRunId } = this.run;
    const { logs, clock } = this.#one.parts;
    const about = { tenantId, namespace, flowId, executionId, taskId, taskRunId, at: clock() };
    logs.addMetric(executionId, { ...about, ...coverMetric(metric, this.masker) });
  };

  readonly addTaskRun: TaskContext['addTaskRun'] = (child) => {
    if (this.children.length < maxChildren)
      this.children.push({ ...child, taskId: this.masker.mask(child.taskId) });
    else if (this.children.length === maxChildren && !this.#hasTooMany) {
      this.#hasTooMany = true;
      void this.log('WARN', `Only the first ${maxChildren} child task runs are shown.`);
    }
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

  readonly runNested: TaskContext['runNested'] = async (task) =>
    runNested(this.#one.parts.catalogue, task, this);

  readonly findType: TaskContext['findType'] = (type) => this.#one.parts.catalogue.find(type)?.definition;

  readonly configuration: TaskContext['configuration'] = (type) => this.#one.parts.configurations.of(type);

  /** Removes the folder in the background; if that fails, the next start removes it. */
  close(): void {
    if (this.#ownFolder !== undefined) rm(this.#ownFolder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Masks secrets in names and tags, which every user can see. */
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
    // Masked because every user can see names.
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
