import { randomUUID } from 'node:crypto';
import {
  choice,
  type Definition,
  defineTask,
  defineTrigger,
  dropMissing,
  duration,
  fixed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { connectionProperties, taskConnection } from '../client/connection.ts';
import { taskExample, triggerExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const store = {
  datastoreId: z.string().describe('The id of the data store.'),
  datastoreArn: z.string().optional().describe('Its ARN.'),
  datastoreStatus: z.string().optional().describe('Its state.'),
};
const endpoint = z.string().optional().describe('Its address.');
const job = {
  jobId: z.string().describe('The id of the job.'),
  jobStatus: z.string().describe('Its state.'),
  datastoreId: z.string().optional().describe('The data store.'),
};
const jobFacts = {
  ...job,
  jobName: z.string().optional().describe('The name of the job.'),
  submitTime: z.string().optional().describe('When it was asked for.'),
  endTime: z.string().optional().describe('When it ended.'),
  message: z.string().optional().describe('What the service says of it.'),
};
const datastoreId = text().describe('The id of the data store.');
const jobName = text().optional().describe('A name for the job.');
const roleArn = text().describe('The role that reads and writes in S3.');

const Datastore = z.looseObject({
  DatastoreId: z.string(),
  DatastoreArn: z.string().optional(),
  DatastoreName: z.string().nullish(),
  DatastoreStatus: z.string().optional(),
  DatastoreEndpoint: z.string().nullish(),
  CreatedAt: z.number().nullish(),
});
const toDate = (seconds: number | null | undefined) =>
  typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : undefined;

const toStore = (found: z.infer<typeof Datastore>) => ({
  datastoreId: found.DatastoreId,
  ...dropMissing({
    datastoreArn: found.DatastoreArn,
    datastoreName: found.DatastoreName,
    datastoreStatus: found.DatastoreStatus,
    datastoreEndpoint: found.DatastoreEndpoint,
    createdAt: toDate(found.CreatedAt),
  }),
});

const create = defineTask({
  type: 'aws.healthlake.CreateDatastore',
  title: 'Create a HealthLake data store',
  description: 'Starts the creation of a FHIR R4 data store. The task does not wait for it.',
  input: () => z.object({ ...taskConnection, datastoreName: text().describe('The name of the data store.') }),
  output: () => z.object({ ...store, datastoreEndpoint: endpoint }),
  sideEffects: true,
  examples: [
    taskExample('aws.healthlake.CreateDatastore', 'Create a data store.', ['datastoreName: patients']),
  ],
  async run(context, { datastoreName, ...connection }) {
    const client = await openClient(context, connection, 'healthlake');
    const input = { DatastoreName: datastoreName, DatastoreTypeVersion: 'R4', ClientToken: randomUUID() };
    return toStore(await client.json('CreateFHIRDatastore', input, Datastore));
  },
});

const remove = defineTask({
  type: 'aws.healthlake.DeleteDatastore',
  title: 'Delete a HealthLake data store',
  description: 'Starts the deletion of a data store with all its data.',
  input: () => z.object({ ...taskConnection, datastoreId }),
  output: () => z.object(store),
  sideEffects: true,
  examples: [
    taskExample('aws.healthlake.DeleteDatastore', 'Delete a data store.', ['datastoreId: 0123456789abcdef']),
  ],
  async run(context, { datastoreId: id, ...connection }) {
    const client = await openClient(context, connection, 'healthlake');
    return toStore(await client.json('DeleteFHIRDatastore', { DatastoreId: id }, Datastore));
  },
});

const describeStore = defineTask({
  type: 'aws.healthlake.DescribeDatastore',
  title: 'Get facts about a HealthLake data store',
  description: 'Returns name, state and address of a data store.',
  input: () => z.object({ ...taskConnection, datastoreId }),
  output: () =>
    z.object({
      ...store,
      datastoreName: z.string().optional().describe('Its name.'),
      datastoreEndpoint: endpoint,
      createdAt: z.string().optional().describe('When it was created.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('aws.healthlake.DescribeDatastore', 'Look at a data store.', [
      'datastoreId: 0123456789abcdef',
    ]),
  ],
  async run(context, { datastoreId: id, ...connection }) {
    const client = await openClient(context, connection, 'healthlake');
    const { DatastoreProperties } = await client.json(
      'DescribeFHIRDatastore',
      { DatastoreId: id },
      z.object({ DatastoreProperties: Datastore }),
    );
    return toStore(DatastoreProperties);
  },
});

const list = defineTask({
  type: 'aws.healthlake.ListDatastores',
  title: 'List HealthLake data stores',
  description: 'Returns all data stores of a region.',
  input: () =>
    z.object({
      ...taskConnection,
      filterName: text().optional().describe('Only data stores with this name.'),
      filterStatus: choice(['CREATING', 'ACTIVE', 'DELETING', 'DELETED', 'CREATE_FAILED'])
        .optional()
        .describe('Only data stores in this state.'),
    }),
  output: () =>
    z.object({
      datastores: z.array(z.record(z.string(), z.unknown())).describe('The data stores.'),
      total: z.number().describe('How many there are.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('aws.healthlake.ListDatastores', 'List active data stores.', ['filterStatus: ACTIVE']),
  ],
  async run(context, { filterName, filterStatus, ...connection }) {
    const client = await openClient(context, connection, 'healthlake');
    const Page = z.object({ DatastorePropertiesList: z.array(Datastore), NextToken: z.string().nullish() });
    const datastores: ReturnType<typeof toStore>[] = [];
    for (let token: string | null | undefined; ; ) {
      const Filter = dropMissing({ DatastoreName: filterName, DatastoreStatus: filterStatus });
      const page = await client.json(
        'ListFHIRDatastores',
        { Filter, ...dropMissing({ NextToken: token }) },
        Page,
      );
      datastores.push(...page.DatastorePropertiesList.map(toStore));
      token = page.NextToken;
      if (!token) return { datastores, total: datastores.length };
    }
  },
});

const Job = z.looseObject({
  JobId: z.string(),
  JobName: z.string().nullish(),
  JobStatus: z.string(),
  DatastoreId: z.string().optional(),
  SubmitTime: z.number().nullish(),
  EndTime: z.number().nullish(),
  Message: z.string().nullish(),
  OutputDataConfig: z
    .looseObject({ S3Configuration: z.looseObject({ S3Uri: z.string().optional() }).optional() })
    .optional(),
});

const toJob = (found: z.infer<typeof Job>) => ({
  jobId: found.JobId,
  jobStatus: found.JobStatus,
  ...dropMissing({
    jobName: found.JobName,
    datastoreId: found.DatastoreId,
    submitTime: toDate(found.SubmitTime),
    endTime: toDate(found.EndTime),
    outputS3Uri: found.OutputDataConfig?.S3Configuration?.S3Uri,
    message: found.Message,
  }),
});

const outputConfig = (S3Uri: string, KmsKeyId?: string) => ({
  S3Configuration: { S3Uri, ...dropMissing({ KmsKeyId }) },
});

const startExport = defineTask({
  type: 'aws.healthlake.StartExportJob',
  title: 'Export a HealthLake data store',
  description:
    'Starts an export to S3. The task does not wait for it; use `aws.healthlake.Trigger` for its end.',
  input: () =>
    z.object({
      ...taskConnection,
      datastoreId,
      outputS3Uri: text().describe('Where the files go.'),
      dataAccessRoleArn: roleArn,
      kmsKeyId: text().optional().describe('The key that encrypts the files.'),
      jobName,
    }),
  output: () => z.object(job),
  sideEffects: true,
  examples: [
    taskExample('aws.healthlake.StartExportJob', 'Export to a bucket.', [
      'datastoreId: 0123456789abcdef',
      'outputS3Uri: s3://my-bucket/export/',
      'dataAccessRoleArn: arn:aws:iam::123456789012:role/healthlake',
    ]),
  ],
  async run(context, input) {
    const client = await openClient(context, input, 'healthlake');
    const found = await client.json(
      'StartFHIRExportJob',
      {
        DatastoreId: input.datastoreId,
        OutputDataConfig: outputConfig(input.outputS3Uri, input.kmsKeyId),
        DataAccessRoleArn: input.dataAccessRoleArn,
        ClientToken: randomUUID(),
        ...dropMissing({ JobName: input.jobName }),
      },
      Job,
    );
    return toJob(found);
  },
});

const startImport = defineTask({
  type: 'aws.healthlake.StartImportJob',
  title: 'Import files into a HealthLake data store',
  description:
    'Starts an import from S3. The task does not wait for it; use `aws.healthlake.Trigger` for its end.',
  input: () =>
    z.object({
      ...taskConnection,
      datastoreId,
      inputS3Uri: text().describe('Where the files are.'),
      outputS3Uri: text().describe('Where the report of the job goes.'),
      dataAccessRoleArn: roleArn,
      jobName,
    }),
  output: () => z.object(job),
  sideEffects: true,
  examples: [
    taskExample('aws.healthlake.StartImportJob', 'Import from a bucket.', [
      'datastoreId: 0123456789abcdef',
      'inputS3Uri: s3://my-bucket/import/',
      'outputS3Uri: s3://my-bucket/report/',
      'dataAccessRoleArn: arn:aws:iam::123456789012:role/healthlake',
    ]),
  ],
  async run(context, input) {
    const client = await openClient(context, input, 'healthlake');
    const found = await client.json(
      'StartFHIRImportJob',
      {
        DatastoreId: input.datastoreId,
        InputDataConfig: { S3Uri: input.inputS3Uri },
        JobOutputDataConfig: outputConfig(input.outputS3Uri),
        DataAccessRoleArn: input.dataAccessRoleArn,
        ClientToken: randomUUID(),
        ...dropMissing({ JobName: input.jobName }),
      },
      Job,
    );
    return toJob(found);
  },
});

const describeJob = (kind: 'Export' | 'Import') =>
  defineTask({
    type: `aws.healthlake.Describe${kind}Job`,
    title: `Get facts about an ${kind.toLowerCase()} job of HealthLake`,
    description: 'Returns the state of a job.',
    input: () => z.object({ ...taskConnection, datastoreId, jobId: text().describe('The id of the job.') }),
    output: () =>
      z.object({
        ...jobFacts,
        ...(kind === 'Export' && { outputS3Uri: z.string().optional().describe('Where the files are.') }),
      }),
    sideEffects: true,
    examples: [
      taskExample(`aws.healthlake.Describe${kind}Job`, 'Look at a job.', [
        'datastoreId: 0123456789abcdef',
        'jobId: fedcba9876543210',
      ]),
    ],
    async run(context, { datastoreId: id, jobId, ...connection }) {
      const client = await openClient(context, connection, 'healthlake');
      const Answer = z.looseObject({
        ExportJobProperties: Job.optional(),
        ImportJobProperties: Job.optional(),
      });
      const answer = await client.json(`DescribeFHIR${kind}Job`, { DatastoreId: id, JobId: jobId }, Answer);
      return toJob(z.object({ job: Job }).parse({ job: answer[`${kind}JobProperties`] }).job);
    },
  });

const trigger = defineTrigger({
  type: 'aws.healthlake.Trigger',
  role: 'polling',
  title: 'Start when a HealthLake job has ended',
  description:
    'Looks at the import or export jobs of a data store every `interval`, and starts an execution for each job that has ended since the trigger began, one at a poll.',
  input: () =>
    z.object({
      ...connectionProperties,
      interval: fixed(duration()).prefault('PT2M').describe('The pause between two polls.'),
      datastoreId,
      jobType: choice(['IMPORT', 'EXPORT']).default('IMPORT').describe('Which jobs.'),
    }),
  output: () => z.object({ jobId: job.jobId, jobStatus: job.jobStatus }),
  examples: [
    triggerExample(
      'aws.healthlake.Trigger',
      'When an import is done.',
      ['datastoreId: 0123456789abcdef'],
      'trigger.jobStatus',
    ),
  ],
  async poll(context, { datastoreId: id, jobType, interval: _, ...connection }) {
    const client = await openClient(context, connection, 'healthlake');
    const kind = jobType === 'IMPORT' ? 'Import' : 'Export';
    const Answer = z.looseObject({
      ImportJobPropertiesList: z.array(Job).optional(),
      ExportJobPropertiesList: z.array(Job).optional(),
    });
    const answer = await client.json(`ListFHIR${kind}Jobs`, { DatastoreId: id, MaxResults: 50 }, Answer);
    const seen = z.number().optional().catch(undefined).parse(context.memory);
    if (seen === undefined) {
      context.remember(Date.now() / 1000);
      return undefined;
    }
    const ended = (answer[`${kind}JobPropertiesList`] ?? [])
      .filter(({ JobStatus, EndTime }) => /^(COMPLETED|FAILED|CANCEL_COMPLETED)/.test(JobStatus) && EndTime)
      .sort((a, b) => (a.EndTime ?? 0) - (b.EndTime ?? 0));
    const next = ended.find(({ EndTime }) => (EndTime ?? 0) > seen);
    if (!next) return undefined;
    context.remember(next.EndTime);
    return { jobId: next.JobId, jobStatus: next.JobStatus };
  },
});

export const healthlakeTypes: readonly Definition[] = [
  create,
  remove,
  describeStore,
  list,
  startExport,
  startImport,
  describeJob('Export'),
  describeJob('Import'),
  trigger,
];
