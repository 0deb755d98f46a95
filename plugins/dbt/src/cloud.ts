import { setTimeout as delay } from 'node:timers/promises';
import type { HttpOptions, TaskContext } from '@millrace/plugin-kit';
import {
  defineTask,
  duration,
  flag,
  httpOptions,
  integer,
  listOf,
  messageOf,
  outboundOptions,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { reportResults } from './runResults.ts';

const cloudProperties = () => ({
  baseUrl: text().default('https://cloud.getdbt.com').describe('The address of dbt Cloud.'),
  accountId: text().describe('The id of the account.'),
  token: text().describe('A token of the API.'),
  options: httpOptions().optional().describe('How to send requests: timeouts, proxy, certificates.'),
  maxRetries: integer({ min: 0 }).default(3).describe('How often a request that fails is sent again.'),
  initialDelayMs: integer({ min: 0 })
    .default(1000)
    .describe('The pause before the first of these, in milliseconds; each further one is twice as long.'),
});
const pollProperties = () => ({
  pollFrequency: duration().prefault('PT5S').describe('How often to ask for the state of the run.'),
  maxDuration: duration().prefault('PT60M').describe('How long the run may take.'),
  parseRunResults: flag().default(true).describe('Show the nodes of the run as child task runs.'),
});

interface Cloud {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly token: string;
  readonly options?: HttpOptions | undefined;
  readonly maxRetries: number;
  readonly initialDelayMs: number;
}
interface Polling {
  readonly pollFrequency: number;
  readonly maxDuration: number;
  readonly parseRunResults: boolean;
}

const fileOutputs = {
  runResults: z.string().optional().describe('The file `run_results.json` in internal storage.'),
  manifest: z.string().optional().describe('The file `manifest.json` in internal storage.'),
};

export const triggerRun = defineTask({
  type: 'dbt.cloud.TriggerRun',
  title: 'Run a job of dbt Cloud',
  description: `Starts a job of dbt Cloud, waits for its end and shows its nodes as child task runs. A run that does not succeed fails the
task. Killing the task cancels the run.`,
  input: () =>
    z.object({
      ...cloudProperties(),
      jobId: text().describe('The id of the job.'),
      cause: text().default('Triggered by Kestra.').describe('The reason that dbt Cloud shows.'),
      gitSha: text().optional().describe('Another commit to run.'),
      gitBranch: text().optional().describe('Another branch to run.'),
      schemaOverride: text().optional().describe('Another schema to write to.'),
      dbtVersionOverride: text().optional().describe('Another version of dbt.'),
      threadsOverride: text().optional().describe('How many nodes run at the same time.'),
      targetNameOverride: text().optional().describe('Another target.'),
      generateDocsOverride: flag().optional().describe('Whether documentation is made.'),
      timeoutSecondsOverride: integer({ min: 0 })
        .optional()
        .describe('How long the run may take in dbt Cloud.'),
      stepsOverride: listOf(text()).optional().describe('Other commands to run.'),
      wait: flag().default(true).describe('Wait for the end of the run.'),
      ...pollProperties(),
    }),
  output: z.object({ runId: z.number().describe('The id of the run.'), ...fileOutputs }),
  sideEffects: true,
  examples: [
    {
      title: 'Run a job and wait for its end.',
      runs: false,
      code: `id: dbt_cloud
namespace: company.team

tasks:
  - id: run
    type: dbt.cloud.TriggerRun
    accountId: "{{ secret('DBT_ACCOUNT_ID') }}"
    token: "{{ secret('DBT_TOKEN') }}"
    jobId: "396284"
`,
    },
  ],
  async run(context, input) {
    const body = {
      cause: input.cause,
      git_sha: input.gitSha,
      git_branch: input.gitBranch,
      schema_override: input.schemaOverride,
      dbt_version_override: input.dbtVersionOverride,
      threads_override: input.threadsOverride === undefined ? undefined : Number(input.threadsOverride),
      target_name_override: input.targetNameOverride,
      generate_docs_override: input.generateDocsOverride,
      timeout_seconds_override: input.timeoutSecondsOverride,
      steps_override: input.stepsOverride,
    };
    const path = `jobs/${encodeURIComponent(input.jobId)}/run/`;
    const { data } = RunResponse.parse(JSON.parse(await call(context, input, path, body)));
    await context.log('INFO', `Started the run ${data.id}${data.href ? `: ${data.href}` : ''}`);
    if (!input.wait) return { runId: data.id };
    return { runId: data.id, ...(await followOwn(context, input, String(data.id), input)) };
  },
});

export const checkStatus = defineTask({
  type: 'dbt.cloud.CheckStatus',
  title: 'Wait for a run of dbt Cloud',
  description: `Waits for the end of a run that was started elsewhere and shows its nodes as child task runs. A run that does not succeed
fails the task.`,
  input: () =>
    z.object({ ...cloudProperties(), runId: text().describe('The id of the run.'), ...pollProperties() }),
  output: z.object(fileOutputs),
  sideEffects: true,
  examples: [
    {
      title: 'Start a run, do something else, and wait for the run.',
      runs: false,
      code: `id: dbt_cloud_status
namespace: company.team

tasks:
  - id: start
    type: dbt.cloud.TriggerRun
    accountId: "{{ secret('DBT_ACCOUNT_ID') }}"
    token: "{{ secret('DBT_TOKEN') }}"
    jobId: "396284"
    wait: false

  - id: check
    type: dbt.cloud.CheckStatus
    accountId: "{{ secret('DBT_ACCOUNT_ID') }}"
    token: "{{ secret('DBT_TOKEN') }}"
    runId: "{{ outputs.start.runId }}"
`,
    },
  ],
  run: (context, input) => follow(context, input, input.runId, input),
});

const Step = z.object({
  index: z.number().optional(),
  name: z.string().default(''),
  status_humanized: z.string().optional(),
});
const Run = z.object({
  id: z.number(),
  href: z.string().nullish(),
  status_humanized: z.string().nullish(),
  status_message: z.string().nullish(),
  is_complete: z.boolean().default(false),
  is_success: z.boolean().default(false),
  is_cancelled: z.boolean().default(false),
  run_steps: z.array(Step).nullish(),
});
const RunResponse = z.object({ data: Run });

const pathOf = (runId: string): string => `runs/${encodeURIComponent(runId)}/`;

/** Follows a run that this task has started: killing the task cancels it. */
async function followOwn(context: TaskContext, cloud: Cloud, runId: string, polling: Polling) {
  const cancel = () =>
    void call(
      { ...context, signal: AbortSignal.timeout(10_000) },
      cloud,
      `${pathOf(runId)}cancel/`,
      {},
    ).catch(() => {});
  context.signal.addEventListener('abort', cancel, { once: true });
  try {
    return await follow(context, cloud, runId, polling);
  } finally {
    context.signal.removeEventListener('abort', cancel);
  }
}

async function follow(context: TaskContext, cloud: Cloud, runId: string, polling: Polling) {
  const deadline = Date.now() + polling.maxDuration;
  const path = pathOf(runId);
  const seen = new Set<string>();
  for (;;) {
    const { data } = RunResponse.parse(
      JSON.parse(await call(context, cloud, `${path}?include_related=["run_steps"]`)),
    );
    for (const { name, status_humanized: state } of data.run_steps ?? []) {
      const line = `${name}: ${state ?? 'Running'}`;
      if (!seen.has(line)) await context.log('INFO', line);
      seen.add(line);
    }
    if (data.is_complete) {
      const files = await fetchArtifacts(context, cloud, path, polling.parseRunResults);
      if (data.is_success) return files;
      const why = [data.status_humanized, data.status_message].filter(Boolean).join(': ');
      throw new TaskFailed(`The run ${runId} of dbt Cloud did not succeed: ${why}`, { outputs: files });
    }
    if (Date.now() > deadline)
      throw new TaskFailed(
        `The run ${runId} of dbt Cloud did not end within ${polling.maxDuration / 1000} s.`,
      );
    await delay(polling.pollFrequency, undefined, { signal: context.signal });
  }
}

/** A run that failed early has no files. */
async function fetchArtifacts(context: TaskContext, cloud: Cloud, path: string, parses: boolean) {
  const fetchOne = async (name: string) => {
    try {
      return await call(context, cloud, `${path}artifacts/${name}`);
    } catch (error) {
      if (error instanceof CloudError && error.status === 404) return undefined;
      throw error;
    }
  };
  const [runResults, manifest] = [await fetchOne('run_results.json'), await fetchOne('manifest.json')];
  if (parses && runResults !== undefined) reportResults(context, runResults);
  return {
    ...(runResults !== undefined && { runResults: await context.files.put('run_results.json', runResults) }),
    ...(manifest !== undefined && { manifest: await context.files.put('manifest.json', manifest) }),
  };
}

class CloudError extends TaskFailed {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message, { retry: status === 429 || status >= 500 });
    this.status = status;
  }
}

/** Sends a request, and sends it again when dbt Cloud is at fault. */
async function call(
  context: Pick<TaskContext, 'fetch' | 'signal' | 'masker' | 'log'>,
  cloud: Cloud,
  path: string,
  body?: unknown,
): Promise<string> {
  context.masker.add(cloud.token);
  for (let tries = 0; ; tries++) {
    try {
      return await callOnce(context, cloud, path, body);
    } catch (error) {
      const isFinal = error instanceof TaskFailed && !error.retry;
      if (context.signal.aborted || isFinal || tries >= cloud.maxRetries) throw error;
      await context.log('WARN', `${messageOf(error)} The request is sent again.`);
      await delay(cloud.initialDelayMs * 2 ** tries, undefined, { signal: context.signal });
    }
  }
}

async function callOnce(
  context: Pick<TaskContext, 'fetch' | 'signal'>,
  cloud: Cloud,
  path: string,
  body: unknown,
): Promise<string> {
  const account = `${cloud.baseUrl.replace(/\/+$/, '')}/api/v2/accounts/${encodeURIComponent(cloud.accountId)}`;
  const chunks: Uint8Array[] = [];
  let status: number;
  try {
    const response = await context.fetch({
      ...outboundOptions(cloud.options),
      url: `${account}/${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Token ${cloud.token}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: context.signal,
    });
    status = response.status;
    for await (const chunk of response.body) chunks.push(chunk);
  } catch (error) {
    if (context.signal.aborted || error instanceof TaskFailed) throw error;
    throw new TaskFailed(`dbt Cloud could not be reached: ${messageOf(error)}`);
  }
  const said = Buffer.concat(chunks).toString('utf8');
  if (status < 300) return said;
  const advice = status === 401 || status === 403 ? ' Check the token and its permissions.' : '';
  throw new CloudError(status, `dbt Cloud responded with status ${status}: ${said.slice(0, 500)}${advice}`);
}
