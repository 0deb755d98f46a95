import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionRecord, LogLevel } from '@millrace/contract';
import { encryptedType, type Host, render, renderDeep, renderTyped, type Variables } from '@millrace/engine';
import {
  createMasker,
  type FileStorage,
  type KeyValueStore,
  type Masker,
  type Metric,
  type NamespaceFileStore,
  type OutboundClient,
  type PluginCatalogue,
  type ProcessHelper,
  type ProductActions,
  type RunInfo,
  runTask,
  type TaskContext,
  TaskFailed,
} from '@millrace/plugins';
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
  readonly #parts: ContextParts;

  constructor(parts: ContextParts) {
    this.#parts = parts;
  }

  open(attempt: Opener, begun: Opening, interruption: Interruption, log: Log): OpenContext {
    const { catalogue, files, logs, clock, processes, outbound } = this.#parts;
    const run = runInfo(attempt, begun);
    const masker = createMasker(begun.secrets);
    const user = { namespace: run.namespace, execution: begun.execution };
    const host = this.#parts.host({
      namespace: run.namespace,
      execution: begun.execution,
      mask: (text) => masker.add(text),
    });
    host.errorLogs = () => readErrorLogs(run.executionId, this.#parts.actions, interruption.signal);
    const { variables } = begun;
    const folder = join(
      this.#parts.workFolder,
      attempt.directoryOf ?? `${attempt.taskRunId}-${attempt.attempt}`,
    );
    let hasFolder = false;
    const context: TaskContext = {
      run,
      get signal() {
        return interruption.signal;
      },
      variables,
      masker,
      log: (level, message) => log(level, masker.mask(message)),
      metric: (metric) => {
        logs.addMetric(run.executionId, {
          tenantId: run.tenantId,
          namespace: run.namespace,
          flowId: run.flowId,
          executionId: run.executionId,
          taskId: run.taskId,
          taskRunId: run.taskRunId,
          at: clock(),
          ...coverMetric(metric, masker),
        });
      },
      render: async (value, extra) => renderDeep(value, withExtra(variables, extra), host),
      renderTyped: async (value, extra) => renderTypedDeep(value, withExtra(variables, extra), host),
      secret: async (name) => this.#secret(name, masker),
      seal: (text) => seal(text, masker, this.#parts.encryption),
      workingDirectory: async () => {
        await mkdir(folder, { recursive: true });
        hasFolder = attempt.directoryOf === undefined;
        return folder;
      },
      files: fileStorage(files, this.#parts.guardFiles(user), run),
      kv: keyValueStore(this.#parts.keyValues, run),
      namespaceFiles: namespaceFileStore(this.#parts.namespaceFiles),
      actions: this.#parts.actions,
      spawn: (request) => processes.spawn({ ...request, signal: request.signal ?? interruption.signal }),
      fetch: (request) => outbound.send({ ...request, signal: request.signal ?? interruption.signal }),
      mayReach: (url) => outbound.check(url),
      runNested: async (task) => runNested(catalogue, task, context),
      findType: (type) => catalogue.find(type)?.definition,
      configuration: (type) => this.#parts.configurations.of(type),
    };
    return {
      context,
      close: () => {
        // Nobody waits for it: what cannot be removed now is removed at the next start.
        if (hasFolder) rm(folder, { recursive: true, force: true }).catch(() => {});
      },
    };
  }

  #secret(name: string, masker: Masker): string {
    const value = this.#parts.secrets.find(name);
    if (value === undefined) throw new TaskFailed(`Cannot find secret for key '${name}'.`, { retry: false });
    masker.add(value);
    return value;
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

function fileStorage(files: InternalStorage, guarded: ReturnType<GuardFiles>, run: RunInfo): FileStorage {
  const folder = executionFolder(run);
  return {
    put: (name, content) => files.put([...folder, 'tasks', run.taskId, run.taskRunId, name], content),
    read: (uri) => guarded.read(uri),
    sizeOf: (uri) => guarded.sizeOf(uri),
    delete: (uri) => guarded.delete(uri),
    deleteOfExecution: () => files.deleteBelow(folder),
  };
}

function keyValueStore(keyValues: KeyValues, run: RunInfo): KeyValueStore {
  return {
    get: async (key, namespace) =>
      (await keyValues.find(key, namespace ?? run.namespace, namespace === undefined))?.value,
    set: (key, value, { namespace, overwrite, type, ttlMs, description }) =>
      keyValues.write({
        namespace,
        key,
        type,
        value,
        mustBeNew: !overwrite,
        ...(ttlMs === undefined ? {} : { ttlMs }),
        ...(description === undefined ? {} : { description }),
      }),
    delete: (key, namespace) => keyValues.delete(namespace, key),
    list: async (namespace) =>
      (await keyValues.list(namespace, { expired: true })).map((entry) => ({
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
