import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  anything,
  choice,
  duration,
  flag,
  integer,
  listOf,
  mapOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type { z } from 'zod';
import { type Google, GoogleRefused, segment } from '../google/client.ts';
import type { Cloud } from '../google/define.ts';
import { dropMissing, type Json, mapAt, mapsAt, numberAt, textAt } from '../google/json.ts';
import { pollUntil } from '../google/wait.ts';

export const bigqueryUrl = 'https://bigquery.googleapis.com/bigquery/v2/projects';

export const retryProperties = {
  retryAuto: part({
    type: text().optional().describe('`constant`, `exponential` or `random`.'),
    interval: duration().optional().describe('The first pause.'),
    minInterval: duration().optional().describe('The shortest pause, for `random`.'),
    maxInterval: duration().optional().describe('The longest pause.'),
    maxDuration: duration().optional().describe('No try starts later than this after the first one.'),
    maxAttempts: integer({ min: 1 }).optional().describe('How often to try in total.'),
    maxAttempt: integer({ min: 1 }).optional().describe('An older name of `maxAttempts`.'),
    delayFactor: anything()
      .optional()
      .describe('Each pause is this many times the one before; 2 when absent.'),
    warningOnRetry: anything().optional().describe('Accepted for compatibility.'),
    behavior: anything().optional().describe('Accepted for compatibility.'),
  })
    .optional()
    .describe(
      'How a job that failed for one of `retryReasons` or `retryMessages` is tried again; with growing pauses from 5 s for 15 minutes when absent.',
    ),
  retryReasons: listOf(text())
    .default(['rateLimitExceeded', 'jobBackendError', 'backendError', 'internalError', 'jobInternalError'])
    .describe('Reasons of BigQuery after which a job is tried again.'),
  retryMessages: listOf(text())
    .default([
      'due to concurrent update',
      'Retrying the job may solve the problem',
      'Retrying may solve the problem',
    ])
    .describe('Parts of messages of BigQuery after which a job is tried again.'),
};

export const locationProperty = () =>
  text().optional().describe('Where the data is, such as `EU`; found by BigQuery when absent.');

/** The properties of every task that talks to BigQuery. */
export const bigqueryProperties = { location: locationProperty(), ...retryProperties };
export type RetryInput = Partial<z.infer<z.ZodObject<typeof bigqueryProperties>>>;

export interface TableReference {
  readonly projectId: string;
  readonly datasetId: string;
  readonly tableId: string;
}

/** Reads `dataset.table` or `project.dataset.table`; a project may hold a domain before a colon. */
export function parseTable(name: string, project: string, property: string): TableReference {
  const parts =
    /^(?:(?<projectId>(?:[\w.-]+:)?[\w-]+)\.)?(?<datasetId>[^.:\s]+)\.(?<tableId>[^.\s][^.]*)$/.exec(
      name.trim().replaceAll('`', ''),
    )?.groups;
  if (!parts)
    throw new TaskFailed(`"${property}" must be "dataset.table" or "project.dataset.table", got "${name}".`, {
      retry: false,
    });
  const { projectId = project, datasetId = '', tableId = '' } = parts;
  return { projectId, datasetId, tableId };
}

export const tableName = ({ projectId, datasetId, tableId }: TableReference): string =>
  `${projectId}.${datasetId}.${tableId}`;

export function readTable(json: Json): TableReference | undefined {
  const [projectId, datasetId, tableId] = ['projectId', 'datasetId', 'tableId'].map((key) =>
    textAt(json, key),
  );
  return projectId && datasetId && tableId ? { projectId, datasetId, tableId } : undefined;
}

/** A BigQuery label: at most 63 lowercase letters, digits, `_` and `-`. */
const toLabel = (value: string): string =>
  value
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lo}\d_-]/gu, '_')
    .slice(0, 63);

/** Labels that show in BigQuery's job history which flow ran a job. */
export const labelsOf = ({ run }: Pick<TaskContext, 'run'>, own: Readonly<Record<string, string>> = {}) => ({
  kestra_namespace: toLabel(run.namespace),
  kestra_flow_id: toLabel(run.flowId),
  kestra_execution_id: toLabel(run.executionId),
  kestra_task_id: toLabel(run.taskId),
  ...own,
});

export interface Job {
  readonly id: string;
  readonly project: string;
  readonly location: string | undefined;
  readonly json: Json;
  readonly statistics: Json;
}

/** A job that BigQuery ended with an error. */
class JobFailed extends TaskFailed {
  readonly reason: string | undefined;

  constructor(message: string, reason: string | undefined) {
    super(message, { retry: reason !== 'invalidQuery' && reason !== 'notFound' && reason !== 'invalid' });
    this.reason = reason;
  }
}

interface Submission {
  readonly configuration: Json;
  readonly input: RetryInput;
  /** Creates the job in another way, such as an upload; by default a plain request. */
  readonly create?: (job: Json) => Promise<Json>;
}

/** Runs a job to its end and retries it when BigQuery suggests it. A killed task cancels its job. */
export async function runJob(
  { google, project }: Cloud,
  context: TaskContext,
  { configuration, input, create }: Submission,
): Promise<Job> {
  const projectId = await project();
  const startedAt = Date.now();
  for (let tries = 1; ; tries++) {
    try {
      return await runOnce(google, context, projectId, { configuration, input, ...(create && { create }) });
    } catch (error) {
      context.signal.throwIfAborted();
      const pauseMs = canRetry(error, input)
        ? pauseOf(input.retryAuto, tries, Date.now() - startedAt)
        : undefined;
      if (pauseMs === undefined || !(error instanceof Error)) throw error;
      await context.log(
        'WARN',
        `${error.message} The job is tried again in ${Math.round(pauseMs / 1000)} s.`,
      );
      await delay(pauseMs, undefined, { signal: context.signal });
    }
  }
}

function canRetry(error: unknown, { retryReasons = [], retryMessages = [] }: RetryInput): boolean {
  if (!(error instanceof JobFailed) && !(error instanceof GoogleRefused)) return false;
  const { reason, message } = error;
  return (
    (reason !== undefined && retryReasons.includes(reason)) ||
    retryMessages.some((part) => message.toLowerCase().includes(part.toLowerCase()))
  );
}

function pauseOf(retry: RetryInput['retryAuto'], tries: number, elapsedMs: number): number | undefined {
  const {
    type = 'exponential',
    interval = 5000,
    maxInterval = 3_600_000,
    maxDuration = 900_000,
  } = retry ?? {};
  const most = retry?.maxAttempts ?? retry?.maxAttempt ?? Number.POSITIVE_INFINITY;
  const factor = Number(retry?.delayFactor ?? 2);
  const least = retry?.minInterval ?? 0;
  const pauseMs =
    type === 'constant'
      ? interval
      : type === 'random'
        ? least + Math.random() * (maxInterval - least)
        : Math.min(interval * factor ** (tries - 1), maxInterval);
  return tries >= most || elapsedMs + pauseMs > maxDuration ? undefined : pauseMs;
}

async function runOnce(
  google: Google,
  context: TaskContext,
  project: string,
  { configuration, input, create }: Submission,
): Promise<Job> {
  const { run } = context;
  const ownId = `millrace_${run.executionId}_${run.taskRunId}_${randomUUID()}`.replace(/[^\w-]/g, '_');
  const reference = dropMissing({ projectId: project, jobId: ownId, location: input.location });
  const job = { jobReference: reference, configuration };
  const url = `${bigqueryUrl}/${segment(project)}/jobs`;
  // The id makes the insert idempotent: BigQuery rejects a duplicate, and the task waits for the first job.
  const created = create
    ? await create(job)
    : (await google.json({ url, body: job, idempotent: true, allow: [409] })).body;
  const placed = mapAt(created, 'jobReference');
  const id = textAt(placed, 'jobId') ?? ownId;
  const location = textAt(placed, 'location') ?? input.location;
  const ended = await waitForJob(google, `${url}/${segment(id)}`, location, created);
  await logJob(context, ended, id);
  return { id, project, location, json: ended, statistics: mapAt(ended, 'statistics') };
}

async function waitForJob(
  google: Google,
  url: string,
  location: string | undefined,
  created: Json,
): Promise<Json> {
  let first: Json | undefined = created;
  try {
    return await pollUntil(google, { what: 'The job' }, async () => {
      const job = first && isDone(first) ? first : await google.get(url, { location });
      first = undefined;
      if (!isDone(job)) return undefined;
      failIfFailed(job);
      return job;
    });
  } catch (error) {
    if (google.context.signal.aborted)
      await google
        .detached()
        .json({ url: `${url}/cancel`, method: 'POST', query: { location } })
        .catch(() => {});
    throw error;
  }
}

const isDone = (job: Json): boolean => textAt(mapAt(job, 'status'), 'state') === 'DONE';

function failIfFailed(job: Json): void {
  const status = mapAt(job, 'status');
  const failure = mapAt(status, 'errorResult');
  const message = textAt(failure, 'message');
  const reason = textAt(failure, 'reason');
  if (message === undefined && reason === undefined) return;
  const others = mapsAt(status, 'errors')
    .map((each) => textAt(each, 'message'))
    .filter((each) => each !== undefined && each !== message);
  const more = others.length === 0 ? '' : ` Also: ${[...new Set(others)].slice(0, 5).join('; ')}`;
  throw new JobFailed(`The BigQuery job failed${reason ? ` (${reason})` : ''}: ${message}${more}`, reason);
}

const logJob = (context: TaskContext, job: Json, id: string): void | Promise<void> => {
  const { creationTime, endTime } = mapAt(job, 'statistics');
  const took = Number(endTime) - Number(creationTime);
  return context.log('DEBUG', `Job ${id} is done${Number.isFinite(took) ? ` after ${took} ms` : ''}.`);
};

export const durationOf = ({ statistics }: Job): number | undefined => {
  const [start, end] = [numberAt(statistics, 'startTime'), numberAt(statistics, 'endTime')];
  return start === undefined || end === undefined ? undefined : end - start;
};

export const dispositionProperties = {
  writeDisposition: choice(['WRITE_TRUNCATE', 'WRITE_TRUNCATE_DATA', 'WRITE_APPEND', 'WRITE_EMPTY'])
    .optional()
    .describe('What happens to rows that are in the table: replaced, kept, or an error.'),
  createDisposition: choice(['CREATE_IF_NEEDED', 'CREATE_NEVER'])
    .optional()
    .describe('Whether a table that does not exist is created.'),
};

/** The properties of a job that writes to a table. */
export const jobProperties = {
  ...dispositionProperties,
  destinationTable: text()
    .optional()
    .describe('The table that is written to, as `dataset.table` or `project.dataset.table`.'),
  jobTimeout: duration().optional().describe('BigQuery ends the job after this time.'),
  labels: mapOf(text()).optional().describe('Labels of the job.'),
  dryRun: flag().default(false).describe('Only check the job and estimate what it costs.'),
};

/** Durations are written as milliseconds in text. */
export const toMs = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : String(ms);
