import {
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
import { z } from 'zod';
import { type Google, segment } from '../google/client.ts';
import { defineGcpTask, taskExample } from '../google/define.ts';
import { dropMissing, type Json, mapAt, mapsAt, textAt } from '../google/json.ts';
import { pollUntil } from '../google/wait.ts';
import { regionUrl } from './generate.ts';

const workerPool = part({
  containerSpec: part({
    imageUri: text().describe('The image.'),
    commands: listOf(text()).optional().describe('The command of the container.'),
    args: listOf(text()).optional().describe('Its arguments.'),
    env: mapOf(text()).optional().describe('Environment variables.'),
  }).describe('The container.'),
  machineSpec: part({
    machineType: text().describe('The machine, such as `n1-standard-4`.'),
    acceleratorCount: integer({ min: 1 }).optional().describe('How many accelerators.'),
    acceleratorType: text().optional().describe('Their kind, such as `NVIDIA_TESLA_T4`.'),
  }).describe('The machine.'),
  discSpec: part({
    bootDiskType: choice(['PD_SSD', 'PD_STANDARD']).default('PD_SSD').describe('The kind of the boot disk.'),
    bootDiskSizeGb: integer({ min: 1 }).default(100).describe('Its size in GB.'),
  })
    .optional()
    .describe('The boot disk.'),
  replicaCount: integer({ min: 1 }).optional().describe('How many machines.'),
  pythonPackageSpec: part({
    packageUris: listOf(text()).describe('The packages in Cloud Storage.'),
    args: listOf(text()).describe('The arguments of the module.'),
    envs: mapOf(text()).describe('Environment variables.'),
  })
    .optional()
    .describe('A Python package that runs in the container.'),
});

const specProperty = () =>
  part({
    workerPoolSpecs: listOf(workerPool, { min: 1 }).describe('The machines and what runs on them.'),
    serviceAccount: text().optional().describe('The service account that the job runs as.'),
    network: text().optional().describe('The network.'),
    tensorboard: text().optional().describe('The TensorBoard of the job.'),
    enableWebAccess: flag().optional().describe('Allow shells in the containers.'),
    scheduling: part({
      timeOut: duration().describe('The job ends after this time.'),
      restartJobOnWorkerRestart: flag().describe('Start the job again when a machine restarts.'),
    })
      .optional()
      .describe('How the job is scheduled.'),
    baseOutputDirectory: part({ outputUriPrefix: text().describe('The folder, `gs://bucket/folder/`.') })
      .optional()
      .describe('Where outputs go.'),
  }).describe('What the job is.');

type Spec = z.infer<ReturnType<typeof specProperty>>;

const toSpec = ({ workerPoolSpecs, scheduling, ...rest }: Spec): Json =>
  dropMissing({
    ...rest,
    workerPoolSpecs: workerPoolSpecs.map(
      ({ containerSpec, discSpec, pythonPackageSpec, replicaCount, machineSpec }) => {
        const { imageUri, commands, args, env } = containerSpec;
        return dropMissing({
          machineSpec: dropMissing(machineSpec),
          replicaCount: replicaCount === undefined ? '1' : String(replicaCount),
          diskSpec: discSpec && {
            bootDiskType: discSpec.bootDiskType.toLowerCase().replace('_', '-'),
            bootDiskSizeGb: discSpec.bootDiskSizeGb,
          },
          containerSpec: pythonPackageSpec
            ? undefined
            : dropMissing({ imageUri, command: commands, args, env: toEnv(env) }),
          pythonPackageSpec: pythonPackageSpec && {
            executorImageUri: imageUri,
            packageUris: pythonPackageSpec.packageUris,
            args: pythonPackageSpec.args,
            env: toEnv(pythonPackageSpec.envs),
          },
        });
      },
    ),
    scheduling: scheduling && {
      timeout: `${scheduling.timeOut / 1000}s`,
      restartJobOnWorkerRestart: scheduling.restartJobOnWorkerRestart,
    },
  });

const toEnv = (env: Readonly<Record<string, string>> | undefined) =>
  env && Object.entries(env).map(([name, value]) => ({ name, value }));

const finalStates = new Set([
  'JOB_STATE_SUCCEEDED',
  'JOB_STATE_FAILED',
  'JOB_STATE_CANCELLED',
  'JOB_STATE_EXPIRED',
  'JOB_STATE_PARTIALLY_SUCCEEDED',
]);

export const customJob = defineGcpTask({
  type: 'gcp.vertexai.CustomJob',
  title: 'Run a custom job on Vertex AI',
  description:
    'Starts a custom job, such as the training of a model, waits for its end, and shows its log. Killing the task cancels the job.',
  properties: {
    region: text().describe('The region, such as `europe-west1`.'),
    displayName: text().describe('The name of the job.'),
    spec: specProperty(),
    wait: flag().default(true).describe('Wait for the end of the job.'),
    delete: flag().default(true).describe('Delete the job at its end.'),
  },
  output: () =>
    z.object({
      name: z.string().describe('The name of the job.'),
      createDate: z.string().optional().describe('When it was created.'),
      updateDate: z.string().optional().describe('When it last changed.'),
      endDate: z.string().optional().describe('When it ended.'),
      state: z.string().optional().describe('Its state.'),
    }),
  examples: [
    taskExample(
      'gcp.vertexai.CustomJob',
      'Run a container.',
      `region: europe-west1
displayName: train
spec:
  workerPoolSpecs:
    - containerSpec:
        imageUri: europe-docker.pkg.dev/my-project/images/train:latest
      machineSpec:
        machineType: n1-standard-4
      replicaCount: 1`,
    ),
  ],
  async run({ google, project }, input, context) {
    const base = regionUrl(input.region);
    const owner = await project();
    const created = await google.post(
      `${base}/projects/${segment(owner)}/locations/${segment(input.region)}/customJobs`,
      { displayName: input.displayName, jobSpec: toSpec(input.spec) },
    );
    const name = textAt(created, 'name') ?? '';
    const url = `${base}/${name}`;
    await context.log('INFO', `Job ${name} was created.`);
    if (!input.wait) return toOutput(created);
    const log = jobLog(google, context, owner, name.split('/').at(-1) ?? '');
    try {
      const ended = await pollUntil(google, { what: `The job ${name}`, intervalMs: 5000 }, async () => {
        const job = await google.get(url);
        await log();
        return finalStates.has(textAt(job, 'state') ?? '') ? job : undefined;
      });
      await log();
      if (textAt(ended, 'state') !== 'JOB_STATE_SUCCEEDED')
        throw new TaskFailed(
          `The job ${name} ended in ${textAt(ended, 'state')}: ${textAt(mapAt(ended, 'error'), 'message') ?? 'see its log'}`,
        );
      return toOutput(ended);
    } finally {
      const last = google.detached();
      if (context.signal.aborted) await last.post(`${url}:cancel`, {}).catch(() => {});
      else if (input.delete) await last.json({ url, method: 'DELETE' }).catch(() => {});
    }
  },
});

const toOutput = (job: Json) =>
  dropMissing({
    name: textAt(job, 'name') ?? '',
    createDate: textAt(job, 'createTime'),
    updateDate: textAt(job, 'updateTime'),
    endDate: textAt(job, 'endTime'),
    state: textAt(job, 'state'),
  });

/** Shows the lines of Cloud Logging that are new since the last call. An account without access to logs sees none. */
function jobLog(google: Google, context: TaskContext, project: string, jobId: string): () => Promise<void> {
  const seen = new Set<string>();
  let since = new Date(0).toISOString();
  let isAllowed = true;
  return async () => {
    if (!isAllowed) return;
    const { status, body } = await google.json({
      url: 'https://logging.googleapis.com/v2/entries:list',
      body: {
        resourceNames: [`projects/${project}`],
        filter: `resource.type="ml_job" AND resource.labels.job_id="${jobId}" AND timestamp>="${since}"`,
        orderBy: 'timestamp asc',
        pageSize: 1000,
      },
      allow: [403],
      idempotent: true,
    });
    isAllowed = status !== 403;
    if (!isAllowed)
      await context.log(
        'WARN',
        'The log of the job cannot be read: the account needs the role "Logs Viewer".',
      );
    for (const entry of mapsAt(body, 'entries')) {
      const id = textAt(entry, 'insertId') ?? '';
      if (seen.has(id)) continue;
      seen.add(id);
      since = textAt(entry, 'timestamp') ?? since;
      await context.log(
        'INFO',
        textAt(entry, 'textPayload') ?? textAt(mapAt(entry, 'jsonPayload'), 'message') ?? '',
      );
    }
  };
}
