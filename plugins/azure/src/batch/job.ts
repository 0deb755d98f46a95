import { parseDuration } from '@millrace/engine';
import {
  defineTask,
  dropMissing,
  duration,
  flag,
  type MetricInfo,
  type TaskContext,
  TaskFailed,
  text,
  undoWhenKilled,
  waitFor,
} from '@millrace/plugin-kit';
import { ScriptLog } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';
import { AzureError, readJson, readText } from '../client/http.ts';
import { resourcePath } from '../rest/management.ts';
import { Batch, batchProperties } from './batchApi.ts';
import { type BatchTask, jobProperty, tasksProperty, toRestTask } from './properties.ts';
import { batchFailure, failureText, TaskStreams, taskState } from './taskStreams.ts';

type State = z.infer<typeof taskState>;
const Added = z.object({
  value: z
    .array(z.looseObject({ taskId: z.string(), status: z.string(), error: batchFailure.nullish() }))
    .default([]),
});
const File = z.looseObject({ name: z.string(), isDirectory: z.boolean().nullish() });
const amount = z.coerce.number().nullish();
const Statistics = z.looseObject({
  stats: z
    .looseObject({
      readIOps: amount,
      writeIOps: amount,
      readIOGiB: amount,
      writeIOGiB: amount,
      kernelCPUTime: z.string().nullish(),
      userCPUTime: z.string().nullish(),
      wallClockTime: z.string().nullish(),
    })
    .nullish(),
});

const metrics: readonly MetricInfo[] = [
  { name: 'io.read.ops.count', type: 'counter', description: 'The number of read operations of a task.' },
  { name: 'io.read.gib.count', type: 'counter', unit: 'GiB', description: 'How much a task read.' },
  { name: 'io.write.ops.count', type: 'counter', description: 'The number of write operations of a task.' },
  { name: 'io.write.gib.count', type: 'counter', unit: 'GiB', description: 'How much a task wrote.' },
  { name: 'cpu.kernel.duration', type: 'timer', description: 'The CPU time in the kernel.' },
  { name: 'cpu.user.duration', type: 'timer', description: 'The CPU time of the programs.' },
  { name: 'wall.clock.duration', type: 'timer', description: 'How long a task ran.' },
];

/** Tasks start in their working directory, so the path of every output file is its name. */
const pathByName: Readonly<Record<string, string>> = new Proxy<Record<string, string>>(
  {},
  {
    get: (_, name) => (typeof name === 'string' ? name : undefined),
    getOwnPropertyDescriptor: (_, name) => ({ value: String(name), configurable: true, enumerable: true }),
  },
);

export const batchJobCreate = defineTask({
  type: 'azure.batch.job.Create',
  title: 'Run tasks in a pool of Azure Batch',
  description: `Creates a job with tasks in a pool, waits for their end, and shows what they print in the log. Lines such as \`::{"outputs": {"rows": 3}}::\`
become outputs. The task fails when one of the tasks fails. When the execution is killed, the job is deleted, or terminated without \`delete\`.`,
  input: () =>
    z.object({
      ...batchProperties,
      poolId: text().describe('The pool that runs the tasks.'),
      job: jobProperty().describe('The job.'),
      tasks: tasksProperty().describe('The tasks, which run in parallel as far as the pool allows.'),
      maxDuration: duration().optional().describe('How long to wait at most; no limit when absent.'),
      completionCheckInterval: duration()
        .prefault('PT1S')
        .describe('The pause between two checks of the state.'),
      delete: flag().default(true).describe('Delete the job when it ended.'),
      resume: flag()
        .default(true)
        .describe('Wait for a job with this id that exists already, instead of failing.'),
      syncWorkingDirectory: flag()
        .default(false)
        .describe('Store all files of the working directories of the tasks, not only `outputFiles`.'),
    }),
  output: () =>
    z.object({
      vars: z.record(z.string(), z.unknown()).describe('The outputs that the tasks printed.'),
      outputFiles: z.record(z.string(), z.string()).describe('The stored files by name.'),
    }),
  metrics,
  sideEffects: true,
  renderWith: async () => ({ outputFiles: pathByName, outputDirs: pathByName }),
  examples: [
    taskExample('azure.batch.job.Create', 'Run a command in a pool.', [
      'endpoint: https://company.westeurope.batch.azure.com',
      'account: company',
      'accessKey: "{{ secret(\'AZURE_BATCH_KEY\') }}"',
      'poolId: workers',
      'job:',
      '  id: report-{{ execution.id }}',
      'tasks:',
      '  - id: report',
      '    commands:',
      '      - echo "42" > {{ outputFiles.result }}',
      '    outputFiles:',
      '      - result',
    ]),
  ],
  async run(context, { poolId, job, tasks, ...input }) {
    for (const { containerSettings } of tasks)
      if (containerSettings?.registry?.password) context.masker.add(containerSettings.registry.password);
    const jobPath = `/jobs${resourcePath(job.id)}`;
    const batch = new Batch(context, input);
    const end = async (client: Batch) => {
      if (input.delete) await client.delete(`the deletion of job "${job.id}"`, jobPath);
      else await readText(await client.post(`the end of job "${job.id}"`, `${jobPath}/terminate`, {}));
    };
    return undoWhenKilled(
      context,
      async () => {
        await createJob(context, batch, { poolId, job, resume: input.resume });
        await addTasks(batch, jobPath, tasks, input.resume);
        const done = await waitForTasks(context, batch, jobPath, tasks, input);
        const outputFiles: Record<string, string> = {};
        const isSynced = input.syncWorkingDirectory;
        for (const task of tasks)
          Object.assign(outputFiles, await storeFiles(context, batch, jobPath, task, isSynced));
        for (const { id } of tasks) await reportMetrics(context, batch, jobPath, id);
        if (input.delete) await end(batch);
        const failed = done.states.find(isFailed);
        const outputs = { vars: done.vars, outputFiles };
        if (failed) throw new TaskFailed(failureOf(job.id, failed), { outputs });
        return outputs;
      },
      // The signal is aborted already, so the cleanup has its own.
      () => end(new Batch({ ...context, signal: AbortSignal.timeout(1_500) }, input)),
    );
  },
});

interface JobInput {
  readonly poolId: string;
  readonly job: z.infer<ReturnType<typeof jobProperty>>;
  readonly resume: boolean;
}

async function createJob(
  context: TaskContext,
  batch: Batch,
  { poolId, job, resume }: JobInput,
): Promise<void> {
  const { labels, ...rest } = job;
  const metadata = labels && Object.entries(labels).map(([name, value]) => ({ name, value }));
  const body = { ...dropMissing({ ...rest, metadata }), poolInfo: { poolId } };
  try {
    // A second try would find the job of the first one, which only `resume` accepts.
    await readText(await batch.post(`job "${job.id}"`, '/jobs', body, !resume));
  } catch (error) {
    if (!resume || !(error instanceof AzureError) || error.code !== 'JobExists') throw error;
    await context.log('INFO', `Job "${job.id}" exists and is resumed.`);
  }
}

const tasksPerRequest = 100;

async function addTasks(
  batch: Batch,
  jobPath: string,
  tasks: readonly BatchTask[],
  resume: boolean,
): Promise<void> {
  for (let at = 0; at < tasks.length; at += tasksPerRequest) {
    const value = tasks.slice(at, at + tasksPerRequest).map(toRestTask);
    const response = await batch.post('the tasks of the job', `${jobPath}/addtaskcollection`, { value });
    for (const { taskId, status, error } of (await readJson(response, Added)).value) {
      if (status.toLowerCase() === 'success' || (resume && error?.code === 'TaskExists')) continue;
      throw new TaskFailed(`Azure Batch refused task "${taskId}": ${error ? failureText(error) : status}`, {
        retry: status.toLowerCase() === 'servererror',
      });
    }
  }
}

const isFailed = ({ executionInfo }: State): boolean =>
  executionInfo?.result?.toLowerCase() === 'failure' || (executionInfo?.exitCode ?? 0) !== 0;

function failureOf(jobId: string, { id, executionInfo }: State): string {
  const { exitCode, failureInfo } = executionInfo ?? {};
  const code = exitCode === undefined || exitCode === null ? '' : ` with exit code ${exitCode}`;
  const reason = failureInfo ? `: ${failureText(failureInfo)}` : '';
  return `Task "${id}" of job "${jobId}" failed${code}${reason}`;
}

interface Waiting {
  readonly completionCheckInterval: number;
  readonly maxDuration?: number | undefined;
}

/** Waits for all tasks and logs what they print. */
async function waitForTasks(
  context: TaskContext,
  batch: Batch,
  jobPath: string,
  tasks: readonly BatchTask[],
  { completionCheckInterval: intervalMs, maxDuration: maxMs }: Waiting,
) {
  const logs = new Map(
    tasks.map(({ id }) => [id, new TaskLog(context, batch, `${jobPath}/tasks${resourcePath(id)}`)]),
  );
  const states = await waitFor(context, { intervalMs, maxMs, what: 'The job' }, async () => {
    const query = { $select: 'id,state,executionInfo' };
    const found = await batch.list('the state of the tasks', `${jobPath}/tasks`, taskState, query);
    const own = found.filter(({ id }) => logs.has(id));
    for (const { id, state } of own) if (['running', 'completed'].includes(state)) await logs.get(id)?.read();
    return own.length === logs.size && own.every(({ state }) => state === 'completed') ? own : undefined;
  });
  const vars: Record<string, unknown> = {};
  for (const log of logs.values()) Object.assign(vars, await log.end());
  return { states, vars };
}

/** Logs what a task prints and collects its outputs. */
class TaskLog {
  readonly #log: ScriptLog;
  readonly #streams: TaskStreams;

  constructor(context: TaskContext, batch: Batch, path: string) {
    this.#log = new ScriptLog(context);
    this.#streams = new TaskStreams(batch, path, this.#log);
  }

  read(): Promise<void> {
    return this.#streams.read();
  }

  async end(): Promise<Readonly<Record<string, unknown>>> {
    await this.#log.end();
    return this.#log.vars;
  }
}

async function storeFiles(
  context: TaskContext,
  batch: Batch,
  jobPath: string,
  { id, outputFiles = [], outputDirs = [] }: BatchTask,
  isSynced: boolean,
): Promise<Record<string, string>> {
  const filesPath = `${jobPath}/tasks${resourcePath(id)}/files`;
  const names = new Set(outputFiles);
  for (const folder of isSynced ? [''] : outputDirs.map((each) => `${each.replace(/\/+$/, '')}/`)) {
    const query = { recursive: 'true', $filter: `startswith(name, 'wd/${folder.replaceAll("'", "''")}')` };
    const found = await batch.list(`the files of task "${id}"`, filesPath, File, query);
    for (const { name, isDirectory } of found)
      if (!isDirectory) names.add(name.replaceAll('\\', '/').replace(/^wd\//, ''));
  }
  const stored: Record<string, string> = {};
  for (const name of names) {
    const response = await batch.send({
      action: `the file "${name}" of task "${id}"`,
      method: 'GET',
      path: `${filesPath}${resourcePath(`wd/${name}`)}`,
      accept: [404],
    });
    if (response.status === 404) {
      await readText(response);
      await context.log('WARN', `Task "${id}" has not written the file "${name}".`);
      continue;
    }
    stored[name] = await context.files.put(name.split('/').at(-1) || 'file', response.body);
  }
  return stored;
}

async function reportMetrics(context: TaskContext, batch: Batch, jobPath: string, id: string): Promise<void> {
  const path = `${jobPath}/tasks${resourcePath(id)}`;
  const { stats } = await batch.get(`the statistics of task "${id}"`, path, Statistics, { $expand: 'stats' });
  if (!stats) return;
  const timeOf = (text: string | null | undefined) => (text ? parseDuration(text) : undefined);
  const values = [
    stats.readIOps,
    stats.readIOGiB,
    stats.writeIOps,
    stats.writeIOGiB,
    ...[stats.kernelCPUTime, stats.userCPUTime, stats.wallClockTime].map(timeOf),
  ];
  for (const [index, { name, type }] of metrics.entries()) {
    const value = values[index];
    if (value !== undefined && value !== null) context.metric({ name, type, value, tags: { task: id } });
  }
}
