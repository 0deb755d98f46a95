import {
  defineRunner,
  dropMissing,
  duration,
  findLostAttempt,
  flag,
  inRemoteFolder,
  part,
  type RunnerJob,
  readInside,
  remoteJobName,
  type TaskContext,
  TaskFailed,
  text,
  waitFor,
  walkInside,
  writeInside,
} from '@millrace/plugin-kit';
import { shellQuote } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { deleteBlob, listBlobs, readBlobContent, uploadBlob } from '../blob/blobs.ts';
import { signBlob } from '../blob/sharedAccess.ts';
import { AzureError, readText } from '../client/http.ts';
import { encodePath, Storage, storageProperties } from '../client/storage.ts';
import { Batch, batchProperties } from './batchApi.ts';
import { registryProperty, toRestRegistry } from './properties.ts';
import { failureText, TaskStreams, taskState } from './taskStreams.ts';

const properties = {
  ...batchProperties,
  poolId: text().describe('The pool that runs the container; its nodes must support containers.'),
  blobStorage: part({
    ...storageProperties,
    containerName: text().describe('The container for the files.'),
  })
    .optional()
    .describe(
      'A storage account for the files of the task: the working folder is copied there and back. Without it the script sees no files, and returns none.',
    ),
  registry: registryProperty(),
  waitUntilCompletion: duration().prefault('PT1H').describe('How long the job may take.'),
  completionCheckInterval: duration()
    .prefault('PT5S')
    .describe('The pause between two questions about its state.'),
  delete: flag().default(true).describe('Delete the job and the exchanged files at the end.'),
  resume: flag()
    .default(true)
    .describe('When the worker was lost while the job ran: wait for that job instead of starting another.'),
};
type Input = z.infer<z.ZodObject<typeof properties>>;

export const batchRunner = defineRunner({
  type: 'ee.azure.runner.Batch',
  aliases: ['io.kestra.plugin.azure.runner.Batch', 'io.kestra.plugin.azure.runner.AzureBatch'],
  title: 'Run on Azure Batch',
  description: `Runs the container of a script task in a pool of Azure Batch. With \`blobStorage\` the working folder is copied to the task through a blob container, and
back. Standard output and error are read while the task runs. Killing the task deletes the job.

Never run against Azure itself in the tests of the product: they check the requests against a double.`,
  input: () => z.object(properties),
  examples: [
    {
      title: 'A script in a pool.',
      runs: false,
      code: `id: script_on_azure_batch
namespace: company.team

tasks:
  - id: hello
    type: scripts.python.Script
    containerImage: python:3.13-slim
    taskRunner:
      type: ee.azure.runner.Batch
      endpoint: https://company.westeurope.batch.azure.com
      account: company
      accessKey: "{{ secret('AZURE_BATCH_KEY') }}"
      poolId: workers
      blobStorage:
        connectionString: "{{ secret('AZURE_STORAGE') }}"
        containerName: scripts
    script: print("Hello from Azure Batch")
`,
    },
  ],
  async run(context, input, job) {
    if (!job.containerImage) throw new TaskFailed('Azure Batch needs a "containerImage".', { retry: false });
    if (input.registry?.password) context.masker.add(input.registry.password);
    const batch = new Batch(context, input);
    const lost = input.resume ? await findLost(context, batch) : undefined;
    const name = lost ?? remoteJobName(context.run, context.run.attempt);
    const files = input.blobStorage && new BatchFiles(context, input.blobStorage, name);
    try {
      if (lost === undefined) {
        await files?.upload(job.workingDirectory);
        await start(batch, name, input, job, files);
      }
      await context.log(
        'INFO',
        lost === undefined
          ? `The job ${name} is submitted to Azure Batch.`
          : `Waiting for the job ${name} of the lost worker.`,
      );
      const exitCode = await follow(context, batch, name, input, job);
      await files?.download(job.workingDirectory);
      return { exitCode, signal: null, droppedBytes: { stdout: 0, stderr: 0 } };
    } finally {
      const { aborted } = context.signal;
      if (input.delete || aborted) {
        const client = aborted ? new Batch({ ...context, signal: AbortSignal.timeout(1_500) }, input) : batch;
        await client.delete(`the deletion of job "${name}"`, `/jobs/${name}`).catch(() => {});
      }
      if (input.delete && !aborted) await files?.clear().catch(() => {});
    }
  },
});

const taskId = 'main';
const taskPath = (name: string) => `/jobs/${name}/tasks/${taskId}`;

const readTask = (batch: Batch, name: string) =>
  batch.get('the state of the task', taskPath(name), taskState, { $select: 'id,state,executionInfo' });

/** The job of an earlier attempt whose task has not ended. */
function findLost(context: TaskContext, batch: Batch): Promise<string | undefined> {
  return findLostAttempt(context, async (name) => {
    const task = await readTask(batch, name).catch((error: unknown) => {
      if (error instanceof AzureError && error.status === 404) return undefined;
      throw error;
    });
    return task && task.state !== 'completed' ? name : undefined;
  });
}

async function start(
  batch: Batch,
  name: string,
  input: Input,
  job: RunnerJob,
  files: BatchFiles | undefined,
) {
  // The task's own folder has another path on every node, so the command goes through a link.
  const link = `/tmp/${name}`;
  const { command, env } = inRemoteFolder(job, link);
  const folder = `"$AZ_BATCH_TASK_WORKING_DIR"/${files?.folder ?? 'work'}`;
  const script = [
    `mkdir -p ${folder}`,
    `ln -sfn ${folder} ${link}`,
    `cd ${link}`,
    `exec ${command.map(shellQuote).join(' ')}`,
  ].join(' && ');
  await readText(
    await batch.post(`job "${name}"`, '/jobs', { id: name, poolInfo: { poolId: input.poolId } }),
  );
  const task = dropMissing({
    id: taskId,
    commandLine: `/bin/sh -c ${shellQuote(script)}`,
    environmentSettings: Object.entries(env).map(([key, value]) => ({ name: key, value })),
    containerSettings: dropMissing({
      imageName: job.containerImage,
      // The entry point of the image would get the shell as its argument.
      containerRunOptions: '--entrypoint=',
      registry: toRestRegistry(input.registry),
    }),
    ...files?.settings(input.waitUntilCompletion),
  });
  await readText(await batch.post(`the task of job "${name}"`, `/jobs/${name}/tasks`, task));
}

async function follow(
  context: TaskContext,
  batch: Batch,
  name: string,
  input: Input,
  job: RunnerJob,
): Promise<number> {
  const streams = new TaskStreams(batch, taskPath(name), job);
  const waiting = {
    intervalMs: input.completionCheckInterval,
    maxMs: input.waitUntilCompletion,
    what: `The job ${name}`,
  };
  const { executionInfo } = await waitFor(context, waiting, async () => {
    const task = await readTask(batch, name);
    if (task.state === 'running' || task.state === 'completed') await streams.read();
    return task.state === 'completed' ? task : undefined;
  });
  if (typeof executionInfo?.exitCode === 'number') return executionInfo.exitCode;
  const why = executionInfo?.failureInfo ? failureText(executionInfo.failureInfo) : 'no reason given';
  throw new TaskFailed(`The job ${name} ended before its container ran: ${why}`);
}

/** The working folder of a job in a blob container: `in` is what the task gets, `out` what it leaves behind. */
class BatchFiles {
  /** The folder below the task's own one: Batch keeps the whole names of the blobs. */
  readonly folder: string;
  readonly #storage: Storage;
  readonly #container: string;
  readonly #out: string;

  constructor(
    context: TaskContext,
    { containerName, ...connection }: NonNullable<Input['blobStorage']>,
    name: string,
  ) {
    this.#storage = new Storage(context, connection, 'blob');
    this.#container = containerName;
    this.folder = `millrace/${name}/in`;
    this.#out = `millrace/${name}/out`;
  }

  /** How Batch gets the files and where it puts them. The signature outlives the time limit by an hour. */
  settings(maxMs: number) {
    const storage = this.#storage;
    const permissions = ['READ', 'LIST', 'WRITE', 'CREATE', 'ADD'];
    const expiresAt = new Date(Date.now() + maxMs + 3_600_000);
    const url = storage.sharedKey
      ? signBlob(storage, { container: this.#container }, permissions, expiresAt)
      : storage.readable(storage.url(encodePath(this.#container)));
    return {
      resourceFiles: [{ storageContainerUrl: url, blobPrefix: `${this.folder}/` }],
      outputFiles: [
        {
          filePattern: '**/*',
          destination: { container: { containerUrl: url, path: this.#out } },
          uploadOptions: { uploadCondition: 'taskcompletion' },
        },
      ],
    };
  }

  async upload(folder: string): Promise<void> {
    for await (const { path, isLink } of walkInside(folder)) {
      if (isLink) continue;
      const place = { container: this.#container, name: `${this.folder}/${path}` };
      await uploadBlob(this.#storage, place, readInside(folder, path), {});
    }
  }

  async download(folder: string): Promise<void> {
    const from = `${this.#out}/${this.folder}/`;
    for await (const { name } of this.#blobs(from)) {
      const place = { container: this.#container, name };
      await writeInside(folder, name.slice(from.length), await readBlobContent(this.#storage, place));
    }
  }

  async clear(): Promise<void> {
    for await (const { name } of this.#blobs(this.folder.replace(/in$/, '')))
      await deleteBlob(this.#storage, { container: this.#container, name });
  }

  #blobs(prefix: string) {
    return listBlobs(this.#storage, { container: this.#container, prefix, filter: 'FILES' });
  }
}
