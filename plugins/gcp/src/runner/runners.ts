import {
  defineRunner,
  duration,
  findLostAttempt,
  flag,
  inRemoteFolder,
  integer,
  listOf,
  part,
  type RunnerDefinition,
  type RunnerJob,
  remoteJobName,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Google, segment } from '../google/client.ts';
import { type GcpInput, gcpProperties, openCloud } from '../google/define.ts';
import { dropMissing, type Json, mapAt, mapsAt, numberAt, textAt } from '../google/json.ts';
import { pollUntil, waitForOperation } from '../google/wait.ts';
import { mountPath, RemoteFolder } from './remoteFolder.ts';
import { remoteLog } from './remoteLog.ts';

const runnerProperties = {
  ...gcpProperties,
  region: text().describe('The region, such as `europe-west1`.'),
  bucket: text()
    .optional()
    .describe(
      'A bucket for the files of the task. Without it the container sees no files, and returns none.',
    ),
  delete: flag().default(true).describe('Delete the job at its end.'),
  waitUntilCompletion: duration().prefault('PT1H').describe('How long the job may take.'),
  completionCheckInterval: duration().prefault('PT5S').describe('The pause between two looks at the job.'),
  waitForLogInterval: duration().prefault('PT5S').describe('How long to wait for the last lines of the log.'),
  syncWorkingDirectory: flag()
    .default(true)
    .describe('Bring files that the job wrote back to the working folder.'),
  resume: flag()
    .default(true)
    .describe('When the worker was lost while the job ran: wait for that job instead of starting another.'),
};
type RunnerInput = z.infer<z.ZodObject<typeof runnerProperties>> & GcpInput;

/** The parts that differ between the services. */
interface RemoteJob {
  /** Creates the job and starts it. */
  start(): Promise<{ readonly logFilter: string }>;
  /** Finds the job of an earlier attempt when it still runs. */
  resume(): Promise<{ readonly logFilter: string } | undefined>;
  /** The exit code when the job has ended. */
  poll(): Promise<number | undefined>;
  remove(google: Google): Promise<unknown>;
}

interface Place {
  readonly google: Google;
  readonly project: string;
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: RemoteFolder | undefined;
}

/** Runs a job on a service: uploads files, follows the log, downloads files, and removes all resources. */
async function runRemote<I extends RunnerInput>(
  context: TaskContext,
  input: I,
  job: RunnerJob,
  define: (place: Place, input: I) => RemoteJob,
) {
  if (!job.containerImage)
    throw new TaskFailed('"containerImage" must be given for this task runner.', { retry: false });
  const cloud = openCloud(context, input);
  const { google } = cloud;
  const project = await cloud.project();
  const image = job.containerImage;
  const open = (name: string, attempt: number) => {
    const run = { ...context.run, attempt };
    const folder = input.bucket ? new RemoteFolder(google, input.bucket, run) : undefined;
    const { command, env } = inRemoteFolder(job, folder?.path ?? '/tmp');
    return { name, folder, remote: define({ google, project, name, image, command, env, folder }, input) };
  };
  const lost = input.resume
    ? await findLostAttempt(context, async (name, attempt) => {
        const opened = open(name, attempt);
        const resumed = await opened.remote.resume();
        return resumed && { ...opened, resumed };
      })
    : undefined;
  const { attempt } = context.run;
  const { name, folder, remote, resumed } = lost ?? {
    ...open(remoteJobName(context.run, attempt), attempt),
    resumed: undefined,
  };
  try {
    if (!resumed) await folder?.upload(job.workingDirectory);
    const { logFilter } = resumed ?? (await remote.start());
    await context.log(
      'INFO',
      resumed ? `Waiting for the job ${name} of the lost worker.` : `The job ${name} was started.`,
    );
    const log = remoteLog(google, context, job, { project, filter: logFilter });
    const polling = {
      what: `The job ${name}`,
      intervalMs: input.completionCheckInterval,
      maxMs: input.waitUntilCompletion,
    };
    const exitCode = await pollUntil(google, polling, async () => {
      const ended = await remote.poll();
      await log();
      return ended;
    });
    // Lines arrive in Cloud Logging with a delay.
    const lastLines = Date.now() + input.waitForLogInterval;
    await pollUntil(
      google,
      { what: 'The log', intervalMs: Math.min(1000, Math.max(10, input.waitForLogInterval)) },
      async () => {
        await log();
        return Date.now() >= lastLines ? true : undefined;
      },
    );
    if (input.syncWorkingDirectory) await folder?.download(job.workingDirectory);
    return { exitCode, signal: null, droppedBytes: { stdout: 0, stderr: 0 } };
  } finally {
    if (input.delete || context.signal.aborted) await remote.remove(google.detached()).catch(() => {});
    if (!context.signal.aborted) await folder?.remove().catch(() => {});
  }
}

const exampleOf = (type: string, title: string): RunnerDefinition['examples'] => [
  {
    title,
    runs: false,
    code: `id: on_google_cloud
namespace: company.team

tasks:
  - id: hello
    type: scripts.python.Script
    containerImage: python:3.13-slim
    taskRunner:
      type: ${type}
      projectId: my-project
      serviceAccount: "{{ secret('GCP_SERVICE_ACCOUNT') }}"
      region: europe-west1
      bucket: my-bucket
    script: print("Hello from Google Cloud")
`,
  },
];

const words = (
  service: string,
) => `Runs the container of a script task on ${service}. The working folder is copied to \`bucket\`, mounted in the container, and copied back. The log of
the job is shown as it arrives in Cloud Logging. Killing the task deletes the job.`;

const batchProperties = {
  ...runnerProperties,
  machineType: text().default('e2-medium').describe('The machine.'),
  maxRetryCount: integer({ min: 0, max: 10 })
    .default(0)
    .describe('How often Batch starts the container again after a failure.'),
  computeResource: part({
    cpu: text().optional().describe('The CPU in thousandths, such as `1000`.'),
    memory: text().optional().describe('The memory in MiB.'),
    bootDisk: text().optional().describe('The boot disk in MiB.'),
  })
    .optional()
    .describe('What a task needs of the machine.'),
  networkInterfaces: listOf(
    part({
      network: text().describe('The network.'),
      subnetwork: text().optional().describe('The subnetwork.'),
    }),
  )
    .optional()
    .describe('The networks of the machine.'),
  entryPoint: listOf(text()).optional().describe('The entry point of the container, before the command.'),
};
type BatchInput = z.infer<z.ZodObject<typeof batchProperties>>;

const batchUrl = 'https://batch.googleapis.com/v1';
const activeStates = ['QUEUED', 'SCHEDULED', 'RUNNING'];

function batchJob(place: Place, input: BatchInput): RemoteJob {
  const { google, project, name, image, env, folder } = place;
  const jobs = `${batchUrl}/projects/${segment(project)}/locations/${segment(input.region)}/jobs`;
  const [program = '', ...args] = [...(input.entryPoint ?? []), ...place.command];
  const { cpu, memory, bootDisk } = input.computeResource ?? {};
  const number = (value: string | undefined) => (value === undefined ? undefined : Number(value));
  const logOf = (created: Json) => ({
    logFilter: `logName="projects/${project}/logs/batch_task_logs" AND labels.job_uid="${textAt(created, 'uid')}"`,
  });
  return {
    async start() {
      const created = await google.post(
        jobs,
        {
          taskGroups: [
            {
              taskCount: '1',
              taskSpec: dropMissing({
                runnables: [
                  {
                    container: dropMissing({
                      imageUri: image,
                      entrypoint: program,
                      commands: args,
                      volumes: folder && [`${mountPath}:${mountPath}:rw`],
                      options: folder && `--workdir ${folder.path}`,
                    }),
                    environment: { variables: env },
                  },
                ],
                computeResource:
                  input.computeResource &&
                  dropMissing({
                    cpuMilli: number(cpu),
                    memoryMib: number(memory),
                    bootDiskMib: number(bootDisk),
                  }),
                maxRetryCount: input.maxRetryCount,
                maxRunDuration: `${Math.ceil(input.waitUntilCompletion / 1000)}s`,
                volumes: folder && [{ gcs: { remotePath: folder.bucket }, mountPath }],
              }),
            },
          ],
          allocationPolicy: dropMissing({
            instances: [{ policy: { machineType: input.machineType } }],
            network: input.networkInterfaces && {
              networkInterfaces: input.networkInterfaces.map((each) => dropMissing(each)),
            },
          }),
          logsPolicy: { destination: 'CLOUD_LOGGING' },
        },
        { jobId: name },
      );
      return logOf(created);
    },
    async resume() {
      const { status, body } = await google.json({ url: `${jobs}/${name}`, allow: [404] });
      const state = textAt(mapAt(body, 'status'), 'state') ?? '';
      return status !== 404 && activeStates.includes(state) ? logOf(body) : undefined;
    },
    async poll() {
      const status = mapAt(await google.get(`${jobs}/${name}`), 'status');
      const state = textAt(status, 'state');
      if (state === 'SUCCEEDED') return 0;
      if (state !== 'FAILED' && state !== 'CANCELLED') return undefined;
      return batchExitCode(status);
    },
    remove: (detached) => detached.json({ url: `${jobs}/${name}`, method: 'DELETE', allow: [404] }),
  };
}

/** Batch reports the exit code of a container in the job's events. */
function batchExitCode(status: Json): number {
  const events = mapsAt(status, 'statusEvents');
  for (const event of events.toReversed()) {
    const code =
      numberAt(mapAt(event, 'taskExecution'), 'exitCode') ??
      Number(/exit code (\d+)/.exec(textAt(event, 'description') ?? '')?.[1]);
    if (Number.isInteger(code) && code > 0) return code;
  }
  const reason = events.map((event) => textAt(event, 'description')).at(-1);
  throw new TaskFailed(`The job failed before its container ran: ${reason ?? 'no reason given'}`);
}

const batchType = 'ee.gcp.runner.Batch';

export const batchRunner = defineRunner({
  type: batchType,
  title: 'Run on Google Batch',
  description: words('Google Batch'),
  input: () => z.object(batchProperties),
  examples: exampleOf(batchType, 'Python on Google Batch.'),
  run: (context, input, job) => runRemote(context, input, job, batchJob),
});

const cloudRunProperties = {
  ...runnerProperties,
  maxRetries: integer({ min: 0, max: 10 })
    .default(0)
    .describe('How often Cloud Run starts the container again after a failure.'),
  resources: part({
    cpu: text().optional().describe('The CPU, such as `1`.'),
    memory: text().optional().describe('The memory, such as `512Mi`.'),
  })
    .optional()
    .describe('The limits of the container.'),
  serviceAccountEmail: text().optional().describe('The service account that the container runs as.'),
  vpcAccessConnector: text().optional().describe('The connector to a network.'),
};
type CloudRunInput = z.infer<z.ZodObject<typeof cloudRunProperties>>;

const runUrl = 'https://run.googleapis.com/v2';

function cloudRunJob(place: Place, input: CloudRunInput): RemoteJob {
  const { google, project, name, image, env, folder } = place;
  const jobs = `${runUrl}/projects/${segment(project)}/locations/${segment(input.region)}/jobs`;
  const [program = '', ...args] = place.command;
  const logFilter = `resource.type="cloud_run_job" AND resource.labels.job_name="${name}"`;
  let execution = '';
  return {
    async start() {
      const created = await google.post(
        jobs,
        {
          template: {
            taskCount: 1,
            template: dropMissing({
              containers: [
                dropMissing({
                  image,
                  command: [program],
                  args,
                  env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
                  resources: input.resources && { limits: dropMissing(input.resources) },
                  workingDir: folder?.path,
                  volumeMounts: folder && [{ name: 'work', mountPath }],
                }),
              ],
              volumes: folder && [{ name: 'work', gcs: { bucket: folder.bucket } }],
              maxRetries: input.maxRetries,
              timeout: `${Math.ceil(input.waitUntilCompletion / 1000)}s`,
              serviceAccount: input.serviceAccountEmail,
              vpcAccess:
                input.vpcAccessConnector === undefined ? undefined : { connector: input.vpcAccessConnector },
            }),
          },
        },
        { jobId: name },
      );
      await waitForOperation(google, `${runUrl}/${textAt(created, 'name')}`, {
        what: `The creation of the job ${name}`,
      });
      const started = await google.post(`${jobs}/${name}:run`, {});
      execution = textAt(mapAt(started, 'metadata'), 'name') ?? '';
      return { logFilter };
    },
    async resume() {
      const { status, body } = await google.json({ url: `${jobs}/${name}`, allow: [404] });
      const latest = mapAt(body, 'latestCreatedExecution');
      const last = textAt(latest, 'name')?.split('/').at(-1);
      if (status === 404 || last === undefined || textAt(latest, 'completionTime') !== undefined)
        return undefined;
      execution = `projects/${segment(project)}/locations/${segment(input.region)}/jobs/${name}/executions/${last}`;
      return { logFilter };
    },
    async poll() {
      const now = await google.get(`${runUrl}/${execution}`);
      if (textAt(now, 'completionTime') === undefined) return undefined;
      if ((numberAt(now, 'failedCount') ?? 0) + (numberAt(now, 'cancelledCount') ?? 0) === 0) return 0;
      const [task = {}] = mapsAt(await google.get(`${runUrl}/${execution}/tasks`), 'tasks');
      const code = numberAt(mapAt(task, 'lastAttemptResult'), 'exitCode');
      if (code !== undefined && code !== 0) return code;
      const failed = mapsAt(now, 'conditions').find((each) => textAt(each, 'state') === 'CONDITION_FAILED');
      throw new TaskFailed(
        `The job failed before its container ran: ${(failed && textAt(failed, 'message')) ?? 'no reason given'}`,
      );
    },
    remove: async (detached) => {
      if (execution !== '')
        await detached
          .json({ url: `${runUrl}/${execution}:cancel`, method: 'POST', body: {}, allow: [400, 404, 409] })
          .catch(() => {});
      return detached.json({ url: `${jobs}/${name}`, method: 'DELETE', allow: [404] });
    },
  };
}

const cloudRunType = 'ee.gcp.runner.CloudRun';

export const cloudRunRunner = defineRunner({
  type: cloudRunType,
  title: 'Run on Cloud Run',
  description: words('Cloud Run'),
  input: () => z.object(cloudRunProperties),
  examples: exampleOf(cloudRunType, 'Python on Cloud Run.'),
  run: (context, input, job) => runRemote(context, input, job, cloudRunJob),
});
