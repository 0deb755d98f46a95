import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogLevel } from '@millrace/contract';
import { onTestFinished } from 'vitest';
import type { Metric, ProductActions, TaskContext, Variables } from '../context.ts';
import { createMasker } from '../masker.ts';
import { MemoryFiles, MemoryKv, MemoryNamespaceFiles } from './memoryStores.ts';

export interface TestContext extends TaskContext {
  readonly logs: { level: LogLevel; message: string }[];
  readonly metrics: Metric[];
  readonly files: MemoryFiles;
  readonly kv: MemoryKv;
  readonly namespaceFiles: MemoryNamespaceFiles;
  kill(): void;
}

type Overrides = Partial<Pick<TaskContext, 'variables' | 'spawn' | 'fetch' | 'run' | 'runNested'>> & {
  readonly actions?: Partial<ProductActions>;
  readonly secrets?: Readonly<Record<string, string>>;
};

const missing = (what: string) => () => Promise.reject(new Error(`This test gives the task no ${what}.`));

/** A context with a real folder, removed when the test is over, and everything else in memory. */
export function aTaskContext(overrides: Overrides = {}): TestContext {
  const abort = new AbortController();
  const masker = createMasker();
  const variables = overrides.variables ?? {};
  const logs: TestContext['logs'] = [];
  const metrics: Metric[] = [];
  const run = overrides.run ?? {
    tenantId: 'main',
    namespace: 'company.team',
    flowId: 'a_flow',
    flowRevision: 1,
    executionId: 'execution1',
    taskId: 'a_task',
    taskRunId: 'run1',
    attempt: 0,
  };
  let folder: Promise<string> | undefined;
  onTestFinished(async () => {
    if (folder) await rm(await folder, { recursive: true, force: true });
  });

  return {
    run,
    variables,
    logs,
    metrics,
    masker,
    signal: abort.signal,
    kill: () => abort.abort(),
    log: (level, message) => void logs.push({ level, message: masker.mask(message) }),
    metric: (metric) => void metrics.push(metric),
    render: async (value, extra) => renderPaths(value, { ...variables, ...extra }, false),
    renderTyped: async (value, extra) => renderPaths(value, { ...variables, ...extra }, true),
    async secret(name) {
      const value = overrides.secrets?.[name];
      if (value === undefined) throw new Error(`Cannot find secret for key '${name}'`);
      masker.add(value);
      return value;
    },
    workingDirectory: () => {
      folder ??= mkdtemp(join(tmpdir(), 'millrace-test-'));
      return folder;
    },
    files: new MemoryFiles(),
    kv: new MemoryKv(run.namespace),
    namespaceFiles: new MemoryNamespaceFiles(),
    spawn: overrides.spawn ?? missing('processes'),
    fetch: overrides.fetch ?? missing('network'),
    runNested: overrides.runNested ?? missing('nested tasks'),
    actions: {
      resumeExecution: missing('resumeExecution'),
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

const expression = /\{\{\s*([\w.]+)(?:\s*==\s*(\w+))?\s*\}\}/g;

/** Stands in for the expression language where a test only needs `{{ a.path }}` and `{{ a.path == word }}`. */
function renderPaths(value: unknown, variables: Variables, typed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => renderPaths(item, variables, typed));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        String(renderPaths(key, variables, false)),
        renderPaths(item, variables, typed),
      ]),
    );
  }
  if (typeof value !== 'string') return value;
  const [only] = value.matchAll(expression);
  if (typed && only && only[0] === value.trim()) return evaluate(only[1] ?? '', only[2], variables);
  return value.replace(expression, (_, path: string, word?: string) =>
    toText(evaluate(path, word, variables)),
  );
}

function evaluate(path: string, word: string | undefined, variables: Variables): unknown {
  const value = path.split('.').reduce<unknown>((here, name) => {
    const found = (here as Record<string, unknown> | undefined)?.[name];
    if (found === undefined) throw new Error(`Unable to find \`${name}\` used in the expression \`${path}\``);
    return found;
  }, variables);
  return word === undefined ? value : String(value) === word;
}

const toText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
