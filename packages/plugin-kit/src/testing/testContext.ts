import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogLevel } from '@millrace/contract';
import type { DynamicTaskRun } from '@millrace/engine';
import { onTestFinished } from 'vitest';
import type { Metric, ProductActions } from '../context.ts';
import type { TaskContext, TriggerContext } from '../definition.ts';
import { createMasker } from '../masker.ts';
import {
  MemoryDashboards,
  MemoryFiles,
  MemoryFlows,
  MemoryKv,
  MemoryNamespaceFiles,
} from './memoryStores.ts';
import { aRenderer } from './renderer.ts';

/** Enough for a task and for a trigger. */
export interface TestContext extends TriggerContext {
  readonly logs: { level: LogLevel; message: string }[];
  readonly metrics: Metric[];
  readonly taskRuns: DynamicTaskRun[];
  readonly files: MemoryFiles;
  readonly kv: MemoryKv;
  readonly namespaceFiles: MemoryNamespaceFiles;
  readonly flows: MemoryFlows;
  readonly dashboards: MemoryDashboards;
  /** The outputs of the executions that a poll started with `emit`. */
  readonly emitted: Readonly<Record<string, unknown>>[];
  kill(): void;
}

type Overrides = Partial<
  Pick<
    TaskContext,
    | 'variables'
    | 'spawn'
    | 'fetch'
    | 'mayReach'
    | 'connect'
    | 'lookup'
    | 'run'
    | 'runNested'
    | 'findType'
    | 'configuration'
  >
> & {
  readonly actions?: Partial<ProductActions>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly memory?: unknown;
};

const missing = (what: string) => () => Promise.reject(new Error(`This test gives the task no ${what}.`));

/** The run of a context that is not given another one. */
export const testRun = {
  tenantId: 'main',
  namespace: 'company.team',
  flowId: 'a_flow',
  flowRevision: 1,
  executionId: 'execution1',
  taskId: 'a_task',
  taskRunId: 'run1',
  attempt: 0,
};

/** A context with a real folder, removed when the test ends, and everything else in memory. */
export function aTaskContext(overrides: Overrides = {}): TestContext {
  const abort = new AbortController();
  const masker = createMasker();
  const variables = overrides.variables ?? {};
  const logs: TestContext['logs'] = [];
  const metrics: Metric[] = [];
  const taskRuns: DynamicTaskRun[] = [];
  const emitted: TestContext['emitted'] = [];
  const run = overrides.run ?? testRun;
  let memory = overrides.memory;
  let folder: Promise<string> | undefined;
  onTestFinished(async () => {
    if (folder) await rm(await folder, { recursive: true, force: true });
  });

  return {
    run,
    variables,
    logs,
    metrics,
    taskRuns,
    masker,
    signal: abort.signal,
    kill: () => abort.abort(),
    log: (level, message) => void logs.push({ level, message: masker.mask(message) }),
    metric: (metric) => void metrics.push(metric),
    addTaskRun: (child) => void taskRuns.push(child),
    ...aRenderer(variables),
    async secret(name) {
      const value = overrides.secrets?.[name];
      if (value === undefined) throw new Error(`Cannot find secret for key '${name}'`);
      masker.add(value);
      return value;
    },
    seal: (text) => ({
      type: 'io.kestra.datatype:aes_encrypted',
      value: Buffer.from(text).toString('base64'),
    }),
    workingDirectory: () => {
      folder ??= mkdtemp(join(tmpdir(), 'millrace-test-'));
      return folder;
    },
    files: new MemoryFiles(),
    kv: new MemoryKv(run.namespace),
    namespaceFiles: new MemoryNamespaceFiles(),
    flows: new MemoryFlows(),
    dashboards: new MemoryDashboards(),
    spawn: overrides.spawn ?? missing('processes'),
    fetch: overrides.fetch ?? missing('network'),
    mayReach: overrides.mayReach ?? missing('network'),
    connect: overrides.connect ?? missing('network'),
    lookup:
      overrides.lookup ??
      ((host, _, callback) => callback(new Error(`This test gives the task no network for ${host}.`), '', 0)),
    runNested: overrides.runNested ?? missing('nested tasks'),
    findType: overrides.findType ?? (() => undefined),
    get memory() {
      return memory;
    },
    remember: (value) => {
      memory = value;
    },
    emitted,
    emit: async (outputs) => void emitted.push(outputs),
    configuration: overrides.configuration ?? (() => ({})),
    actions: {
      findExecution: missing('findExecution'),
      resumeExecution: missing('resumeExecution'),
      hasExecution: missing('hasExecution'),
      countExecutions: missing('countExecutions'),
      purgeExecutions: missing('purgeExecutions'),
      fetchLogs: () => {
        throw new Error('This test gives the task no logs.');
      },
      purgeLogs: missing('purgeLogs'),
      setTriggerEnabled: missing('setTriggerEnabled'),
      listNamespaces: missing('listNamespaces'),
      ...overrides.actions,
    },
  };
}
