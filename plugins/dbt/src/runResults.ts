import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamicTaskRun, TaskContext } from '@millrace/plugin-kit';
import { messageOf, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';

const Timing = z.object({ started_at: z.string().nullish(), completed_at: z.string().nullish() });
const Result = z.object({
  unique_id: z.string(),
  status: z.string(),
  timing: z.array(Timing).default([]),
  message: z.string().nullish(),
  adapter_response: z
    .looseObject({
      rows_affected: z.coerce.number().optional(),
      bytes_processed: z.coerce.number().optional(),
    })
    .catch({}),
});
const RunResults = z.object({
  metadata: z.object({ generated_at: z.string() }),
  results: z.array(Result),
});
type Result = z.infer<typeof Result>;

/** The state of a task run for each status that dbt has for a node. */
const states: Readonly<Record<string, DynamicTaskRun['state']>> = {
  success: 'SUCCESS',
  pass: 'SUCCESS',
  'no-op': 'SUCCESS',
  reused: 'SUCCESS',
  warn: 'WARNING',
  error: 'FAILED',
  fail: 'FAILED',
  'runtime error': 'FAILED',
  runtime_error: 'FAILED',
  'partial success': 'WARNING',
  skipped: 'SKIPPED',
};

/** Shows every node of a run as a child task run with its times, and its rows and bytes as metrics. */
export function reportResults(context: TaskContext, content: string): void {
  const { metadata, results } = readResults(content);
  for (const result of results) {
    const state = states[result.status];
    if (!state)
      throw new TaskFailed(`dbt reported the unknown status "${result.status}" of ${result.unique_id}.`, {
        retry: false,
      });
    context.addTaskRun({ taskId: result.unique_id, state, ...timesOf(result, metadata.generated_at) });
    reportMetrics(context, result);
  }
}

function readResults(content: string): z.infer<typeof RunResults> {
  try {
    return RunResults.parse(JSON.parse(content));
  } catch (error) {
    throw new TaskFailed(`The results of dbt could not be read: ${messageOf(error)}`, { retry: false });
  }
}

/** From the first step to the last; a node that was skipped has no steps. */
function timesOf({ timing }: Result, generatedAt: string): { startedAt: number; endedAt: number } {
  const end = toMs(generatedAt) ?? Date.now();
  const starts = timing.flatMap(({ started_at }) => toMs(started_at) ?? []);
  const ends = timing.flatMap(({ completed_at }) => toMs(completed_at) ?? []);
  const startedAt = starts.length > 0 ? Math.min(...starts) : end;
  return { startedAt, endedAt: Math.max(startedAt, ends.length > 0 ? Math.max(...ends) : end) };
}

/** dbt writes times in UTC, older versions without saying so. */
export function toMs(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  const time = Date.parse(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function reportMetrics(context: TaskContext, { unique_id, adapter_response }: Result): void {
  const tags = { node: unique_id };
  const { rows_affected: rows, bytes_processed: bytes } = adapter_response;
  // Adapters without row counts report -1.
  if (rows !== undefined && rows >= 0)
    context.metric({ name: 'rows.affected', type: 'counter', value: rows, tags });
  if (bytes !== undefined && bytes >= 0)
    context.metric({ name: 'bytes.processed', type: 'counter', value: bytes, tags });
}

/** A time that dbt wrote may be this much before that of the worker. */
const clockSkewMs = 2_000;

/** The files that a run has left in its target folder, unless they are older than the run. */
export async function readTarget(folder: string, projectDir: string | undefined, startedAt: number) {
  const read = async (name: string) => {
    const content = await readFile(join(folder, projectDir ?? '', 'target', name), 'utf8').catch(
      () => undefined,
    );
    if (content === undefined) return undefined;
    const written = toMs(/"generated_at"\s*:\s*"([^"]+)"/.exec(content)?.[1]);
    return written !== undefined && written < startedAt - clockSkewMs ? undefined : content;
  };
  return { runResults: await read('run_results.json'), manifest: await read('manifest.json') };
}
