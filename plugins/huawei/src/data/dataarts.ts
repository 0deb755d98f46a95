import {
  dropMissing,
  type JsonMap,
  mapIn,
  mapsIn,
  type TaskContext,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import { defineService, may, need, out, preset, type RestClient, waitFor } from '@millrace/plugin-saas/rest';
import {
  addressOf,
  connection,
  connectionExample,
  endpointOverride,
  projectOf,
  signerOf,
  type Types,
} from '../client/connection.ts';

const service = defineService({
  name: 'DataArts Factory',
  prefix: 'huawei',
  properties: {
    ...connection,
    workspaceId: may.text('The id of the workspace; the default workspace when absent.'),
    endpointOverride,
  },
  baseUrl: (input) => addressOf('dayu-dlf', input),
  headers: ({ workspaceId }) => ({ workspace: workspaceId }),
  sign: signerOf,
  example: connectionExample,
});

const toDate = (value: unknown): string | undefined =>
  Number(value) > 0 ? new Date(Number(value)).toISOString() : undefined;

const getJobRun = service.task({
  type: 'dataarts.GetJobRun',
  title: 'Get an instance of a DataArts Factory job',
  description: 'Reads the state of one run of a job: the one with `instanceId`, or the latest.',
  properties: {
    jobName: need.text('The name of the job.'),
    instanceId: may.integer('The id of the instance; the latest when absent.'),
  },
  output: {
    jobName: out.text('The name of the job.'),
    instanceId: out.integer('The id of the instance.'),
    jobInstanceName: out.text('The name of the instance in its log.'),
    status: out.text('The state, such as `running`, `success` or `fail`.'),
    planTime: out.text('When it was planned.'),
    startTime: out.text('When it started.'),
    endTime: out.text('When it ended.'),
    executeTime: out.text('How long it took, as an ISO 8601 duration.'),
    submitTime: out.text('When it was submitted.'),
    jobId: out.integer('The id of the job.'),
  },
  run: async (client, { jobName, instanceId, ...input }, context) => {
    const jobs = `/v1/${await projectOf(context, input)}/jobs`;
    const found =
      instanceId === undefined
        ? await latestInstance(client, jobs, jobName)
        : await client.ask({ path: `${jobs}/${encodeURIComponent(jobName)}/instances/${instanceId}` });
    const executeMs = Number(found.executeTime);
    return dropMissing({
      jobName: textOf(found.jobName) ?? jobName,
      instanceId: Number(found.instanceId ?? instanceId),
      jobInstanceName: textOf(found.jobInstanceName),
      status: textOf(found.status),
      planTime: toDate(found.planTime),
      startTime: toDate(found.startTime),
      endTime: toDate(found.endTime),
      executeTime: executeMs > 0 ? `PT${executeMs / 1000}S` : undefined,
      submitTime: toDate(found.submitTime),
      jobId: found.jobId === undefined ? undefined : Number(found.jobId),
    });
  },
  example: { jobName: 'orders' },
});

async function latestInstance(client: RestClient, jobs: string, jobName: string): Promise<JsonMap> {
  const { instances } = await client.ask({
    path: `${jobs}/instances/detail`,
    query: { jobName, preciseQuery: true, limit: 100 },
  });
  const [latest] = mapsIn(instances).toSorted((a, b) => Number(b.planTime ?? 0) - Number(a.planTime ?? 0));
  if (latest) return latest;
  throw new TaskFailed(`The job "${jobName}" has no instance.`, { retry: false });
}

const runOutput = {
  runName: out.text('The name of the run.'),
  status: out.text('The state: `RUNNING`, `SUCCESS`, `CANCEL` or a failure.'),
  jobList: out.texts('The jobs of the run.'),
  startDate: out.text('The first date of the data.'),
  endDate: out.text('The last date of the data.'),
  submittedDate: out.text('When the run was submitted.'),
  parallel: out.integer('How many periods run at once.'),
  userName: out.text('The user who started it.'),
};

async function findRun(client: RestClient, path: string, runName: string): Promise<JsonMap | undefined> {
  const response = await client.ask({ path, query: { name: runName, size: 100 } });
  const rows = mapsIn(response.rows ?? response.supplement_data ?? response.records);
  return rows.find(({ name }) => name === runName);
}

const toRun = (runName: string, run: JsonMap) =>
  dropMissing({
    runName,
    status: textOf(run.status),
    jobList: Array.isArray(run.job_list)
      ? run.job_list.map((job) => textOf(job) ?? textOf(mapIn(job).job_name) ?? '')
      : undefined,
    startDate: toDate(run.start_date),
    endDate: toDate(run.end_date),
    submittedDate: toDate(run.submitted_date),
    parallel: run.parallel === undefined ? undefined : Number(run.parallel),
    userName: textOf(run.user_name),
  });

/** A run that was just created is not listed at once. */
const waitForRun = (
  client: RestClient,
  context: TaskContext,
  run: { path: string; runName: string; interval: number; maxDuration: number },
) =>
  waitFor(context, {
    what: `Run "${run.runName}"`,
    everyMs: run.interval,
    atMostMs: run.maxDuration,
    poll: async () => {
      const found = await findRun(client, run.path, run.runName);
      const isOpen = !found || /^(running|waiting|submitted)$/i.test(textOf(found.status) ?? '');
      return isOpen ? undefined : toRun(run.runName, found);
    },
  });

const startJobRun = service.task({
  type: 'dataarts.StartJobRun',
  title: 'Run a DataArts Factory job for past dates',
  description:
    'Creates a PatchData run, which runs a job for every period between two dates, and waits for its end. A run that fails or is canceled makes the task fail; a task that is killed stops the run.',
  properties: {
    jobName: need.text('The name of the job.'),
    runName: may.text('The name of the run; made of the job and the execution when absent.'),
    startDate: may.text(
      'The first date, such as `2026-01-31T00:00:00 +08`; the start of this day when absent.',
    ),
    endDate: may.text('The last date, such as `2026-01-31T23:59:59 +08`; the end of this day when absent.'),
    parallel: preset.integer(1, 'How many periods run at once: 1 to 5.'),
    dayGranularity: preset.flag(true, 'Run the job once per day.'),
    stopWhenFail: preset.flag(true, 'Stop when a period fails.'),
    runTimeWindow: may.text('The hours of the day in which periods may start, such as `00:00-08:00`.'),
    wait: preset.flag(true, 'Wait for the end. When false, the task ends as soon as the run is created.'),
    maxDuration: preset.duration('PT1H', 'The longest wait; the task fails afterwards.'),
    interval: preset.duration('PT5S', 'The pause between two polls of the state of the run.'),
  },
  output: { jobName: out.text('The name of the job.'), ...runOutput },
  run: async (client, input, context) => {
    const { jobName } = input;
    const path = `/v2/${await projectOf(context, input)}/factory/supplement-data`;
    const runName = input.runName ?? `P_${jobName}_${context.run.executionId}`;
    const today = new Date().toISOString().slice(0, 10);
    await client.send({
      method: 'POST',
      path,
      body: dropMissing({
        name: runName,
        job_name: jobName,
        start_date: input.startDate ?? `${today}T00:00:00 +00`,
        end_date: input.endDate ?? `${today}T23:59:59 +00`,
        parallel: input.parallel,
        is_day_granularity: input.dayGranularity,
        is_stop_when_fail: input.stopWhenFail,
        supplement_data_run_time:
          input.runTimeWindow === undefined ? undefined : { time_of_day: input.runTimeWindow },
      }),
    });
    if (!input.wait) return { jobName, ...toRun(runName, (await findRun(client, path, runName)) ?? {}) };
    const stop = () =>
      client.send({ method: 'POST', path: stopPath(path, runName), body: {}, afterKill: true });
    const end = await waitForRun(client, context, { ...input, path, runName }).catch(async (error) => {
      if (context.signal.aborted) await stop().catch(() => {});
      throw error;
    });
    if (end.status?.toUpperCase() !== 'SUCCESS')
      throw new TaskFailed(`Run "${runName}" of job "${jobName}" ended in the state ${end.status}.`);
    return { jobName, ...end };
  },
  example: { jobName: 'orders', startDate: '2026-01-31T00:00:00 +01', endDate: '2026-01-31T23:59:59 +01' },
});

const stopPath = (path: string, runName: string) => `${path}/${encodeURIComponent(runName)}/stop`;

const stopJobRun = service.task({
  type: 'dataarts.StopJobRun',
  title: 'Stop a PatchData run of DataArts Factory',
  description: 'Stops a run that `dataarts.StartJobRun` has created, and waits until it has stopped.',
  properties: {
    runName: need.text('The name of the run.'),
    wait: preset.flag(true, 'Wait until the run has stopped.'),
    maxDuration: preset.duration('PT10M', 'The longest wait; the task fails afterwards.'),
    interval: preset.duration('PT3S', 'The pause between two polls of the state of the run.'),
  },
  output: runOutput,
  run: async (client, input, context) => {
    const { runName } = input;
    const path = `/v2/${await projectOf(context, input)}/factory/supplement-data`;
    await client.send({ method: 'POST', path: stopPath(path, runName), body: {} });
    if (!input.wait) return toRun(runName, (await findRun(client, path, runName)) ?? {});
    return waitForRun(client, context, { ...input, path });
  },
  example: { runName: 'P_orders_2026' },
});

export const dataartsTypes: Types = [getJobRun, startJobRun, stopJobRun];
