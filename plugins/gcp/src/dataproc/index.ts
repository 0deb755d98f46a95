import { type Definition, integer, listOf, mapOf, part, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import { defineGcpTask, taskExample } from '../google/define.ts';
import { dropMissing, type Json, textAt } from '../google/json.ts';
import { pollUntil, waitForOperation } from '../google/wait.ts';

const dataprocUrl = (region: string): string => `https://${segment(region)}-dataproc.googleapis.com/v1`;

const batchProperties = {
  region: text().describe('The region, such as `europe-west1`.'),
  name: text().describe('The name of the batch: small letters, digits and hyphens.'),
  fileUris: listOf(text()).optional().describe('Files for the working folder of each worker.'),
  archiveUris: listOf(text()).optional().describe('Archives that are unpacked in the working folder.'),
  jarFileUris: listOf(text()).optional().describe('Jar files for the class path.'),
  args: listOf(text()).optional().describe('Arguments of the program.'),
  execution: part({
    networkUri: text().optional().describe('The network.'),
    subnetworkUri: text().optional().describe('The subnetwork.'),
    networkTags: listOf(text()).optional().describe('Tags of the network.'),
    serviceAccountEmail: text().optional().describe('The service account that the batch runs as.'),
    kmsKey: text().optional().describe('The key that encrypts its data.'),
  })
    .optional()
    .describe('Where the batch runs.'),
  peripherals: part({
    metastoreService: text().optional().describe('The Dataproc Metastore.'),
    sparkHistoryServer: part({ dataprocCluster: text().optional().describe('The cluster.') })
      .optional()
      .describe('The history server.'),
  })
    .optional()
    .describe('Other services that the batch uses.'),
  runtime: part({
    containerImage: text().optional().describe('The image of the workers.'),
    version: text().optional().describe('The version of the runtime.'),
    properties: mapOf(text()).optional().describe('Properties of Spark.'),
  })
    .optional()
    .describe('What the batch runs on.'),
};
type BatchInput = z.infer<z.ZodObject<typeof batchProperties>>;

const environmentOf = ({ execution, peripherals, runtime }: BatchInput): Json =>
  dropMissing({
    runtimeConfig: runtime && dropMissing(runtime),
    environmentConfig:
      execution || peripherals
        ? dropMissing({
            executionConfig:
              execution &&
              dropMissing({
                networkUri: execution.networkUri,
                subnetworkUri: execution.subnetworkUri,
                networkTags: execution.networkTags,
                serviceAccount: execution.serviceAccountEmail,
                kmsKey: execution.kmsKey,
              }),
            peripheralsConfig:
              peripherals &&
              dropMissing({
                metastoreService: peripherals.metastoreService,
                sparkHistoryServerConfig: peripherals.sparkHistoryServer,
              }),
          })
        : undefined,
  });

interface BatchKind {
  readonly name: string;
  readonly title: string;
  /** The property that names the program, and the key of the API for it. */
  readonly program: string;
  readonly programWords: string;
  readonly key: string;
  readonly example: string;
  /** The common properties that the API accepts. */
  readonly takes: readonly ('fileUris' | 'archiveUris' | 'jarFileUris' | 'args')[];
}

const everything = ['fileUris', 'archiveUris', 'jarFileUris', 'args'] as const;

const kinds: readonly BatchKind[] = [
  {
    name: 'PySparkSubmit',
    title: 'Run a PySpark batch on Dataproc',
    program: 'mainPythonFileUri',
    programWords: 'The Python file, such as `gs://bucket/main.py`.',
    key: 'pysparkBatch',
    example: 'mainPythonFileUri: gs://my-bucket/main.py',
    takes: everything,
  },
  {
    name: 'RSparkSubmit',
    title: 'Run a SparkR batch on Dataproc',
    program: 'mainRFileUri',
    programWords: 'The R file, such as `gs://bucket/main.R`.',
    key: 'sparkRBatch',
    example: 'mainRFileUri: gs://my-bucket/main.R',
    takes: ['fileUris', 'archiveUris', 'args'],
  },
  {
    name: 'SparkSqlSubmit',
    title: 'Run a Spark SQL batch on Dataproc',
    program: 'queryFileUri',
    programWords: 'The file with the SQL, such as `gs://bucket/query.sql`.',
    key: 'sparkSqlBatch',
    example: 'queryFileUri: gs://my-bucket/query.sql',
    takes: ['jarFileUris'],
  },
  {
    name: 'SparkSubmit',
    title: 'Run a Spark batch on Dataproc',
    program: 'mainClass',
    programWords: 'The main class; its jar must be in `jarFileUris`.',
    key: 'sparkBatch',
    example:
      'mainClass: org.apache.spark.examples.SparkPi\njarFileUris:\n  - file:///usr/lib/spark/examples/jars/spark-examples.jar',
    takes: everything,
  },
];

const endStates = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED']);

const defineBatch = (kind: BatchKind): Definition =>
  defineGcpTask({
    type: `gcp.dataproc.batches.${kind.name}`,
    title: kind.title,
    description:
      'Submits a batch to Dataproc Serverless and waits for its end. Killing the task cancels the batch.',
    properties: { ...batchProperties, [kind.program]: text().describe(kind.programWords) },
    output: () => z.object({ state: z.string().describe('The state at the end.') }),
    examples: [
      taskExample(
        `gcp.dataproc.batches.${kind.name}`,
        'Submit a batch.',
        `region: europe-west1\nname: my-batch\n${kind.example}`,
      ),
    ],
    async run({ google, project }, read) {
      const input = read as BatchInput & Readonly<Record<string, unknown>>;
      const own = Object.fromEntries(
        kind.takes.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
      );
      const place = `projects/${segment(await project())}/locations/${segment(input.region)}`;
      const batches = `${dataprocUrl(input.region)}/${place}/batches`;
      const operation = await google.post(
        batches,
        { [kind.key]: { [kind.program]: input[kind.program], ...own }, ...environmentOf(input) },
        { batchId: input.name },
      );
      const url = `${batches}/${segment(input.name)}`;
      try {
        const batch = await pollUntil(google, { what: `The batch ${input.name}` }, async () => {
          const now = await google.get(url);
          return endStates.has(textAt(now, 'state') ?? '') ? now : undefined;
        });
        const state = textAt(batch, 'state') ?? '';
        if (state !== 'SUCCEEDED')
          throw new TaskFailed(
            `The batch "${input.name}" ended in state ${state}: ${textAt(batch, 'stateMessage') ?? 'no reason given'}`,
          );
        return { state };
      } catch (error) {
        if (google.context.signal.aborted)
          await google
            .detached()
            .post(`${dataprocUrl(input.region)}/${textAt(operation, 'name') ?? ''}:cancel`, {})
            .catch(() => {});
        throw error;
      }
    },
  });

const clusterProperties = {
  clusterName: text().describe('The name of the cluster.'),
  region: text().describe('The region, such as `europe-west1`.'),
};

const createCluster = defineGcpTask({
  type: 'gcp.dataproc.clusters.Create',
  title: 'Create a Dataproc cluster',
  description: 'Creates a cluster and waits until it runs. A cluster that exists is left as it is.',
  properties: {
    ...clusterProperties,
    zone: text().optional().describe('The zone; chosen by Dataproc when absent.'),
    masterMachineType: text().optional().describe('The machine of the master, such as `n1-standard-2`.'),
    masterDiskSizeGB: integer({ min: 10 }).optional().describe('The size of its disk in GB.'),
    workerMachineType: text().optional().describe('The machine of the workers.'),
    workerDiskSizeGB: integer({ min: 10 }).optional().describe('The size of their disks in GB.'),
    workers: integer({ min: 0 }).optional().describe('How many workers there are.'),
    bucket: text().optional().describe('The bucket for files of the cluster.'),
    imageVersion: text().optional().describe('The version of the image.'),
  },
  output: () =>
    z.object({
      clusterName: z.string().describe('The name of the cluster.'),
      created: z.boolean().describe('Whether it was created.'),
    }),
  examples: [
    taskExample(
      'gcp.dataproc.clusters.Create',
      'Create a small cluster.',
      'clusterName: my-cluster\nregion: europe-west1\nworkers: 2',
    ),
  ],
  async run({ google, project }, input) {
    const { clusterName, region, zone, bucket, imageVersion } = input;
    const owner = await project();
    const machines = (
      numInstances: number | undefined,
      machineTypeUri: string | undefined,
      bootDiskSizeGb: number | undefined,
    ) =>
      dropMissing({
        numInstances,
        machineTypeUri,
        diskConfig: bootDiskSizeGb === undefined ? undefined : { bootDiskSizeGb },
      });
    const config = dropMissing({
      configBucket: bucket,
      gceClusterConfig: zone === undefined ? undefined : { zoneUri: zone },
      masterConfig: machines(1, input.masterMachineType, input.masterDiskSizeGB),
      workerConfig: machines(input.workers, input.workerMachineType, input.workerDiskSizeGB),
      softwareConfig: imageVersion === undefined ? undefined : { imageVersion },
    });
    const url = `${dataprocUrl(region)}/projects/${segment(owner)}/regions/${segment(region)}/clusters`;
    const { status, body } = await google.json({
      url,
      body: { projectId: owner, clusterName, config },
      allow: [409],
    });
    if (status === 409) return { clusterName, created: false };
    await waitForOperation(google, `${dataprocUrl(region)}/${textAt(body, 'name') ?? ''}`, {
      what: `The creation of the cluster "${clusterName}"`,
    });
    return { clusterName, created: true };
  },
});

const deleteCluster = defineGcpTask({
  type: 'gcp.dataproc.clusters.Delete',
  title: 'Delete a Dataproc cluster',
  description: 'Deletes a cluster and waits until it is gone. A cluster that does not exist is no error.',
  properties: clusterProperties,
  output: () =>
    z.object({
      clusterName: z.string().describe('The name of the cluster.'),
      deleted: z.boolean().describe('Whether there was one.'),
    }),
  examples: [
    taskExample(
      'gcp.dataproc.clusters.Delete',
      'Delete a cluster.',
      'clusterName: my-cluster\nregion: europe-west1',
    ),
  ],
  async run({ google, project }, { clusterName, region }) {
    const url = `${dataprocUrl(region)}/projects/${segment(await project())}/regions/${segment(region)}/clusters/${segment(clusterName)}`;
    const { status, body } = await google.json({ url, method: 'DELETE', allow: [404] });
    if (status === 404) return { clusterName, deleted: false };
    await waitForOperation(google, `${dataprocUrl(region)}/${textAt(body, 'name') ?? ''}`, {
      what: `The deletion of the cluster "${clusterName}"`,
    });
    return { clusterName, deleted: true };
  },
});

export const dataprocTypes: readonly Definition[] = [...kinds.map(defineBatch), createCluster, deleteCluster];
