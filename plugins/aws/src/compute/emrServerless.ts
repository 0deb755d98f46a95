import { randomUUID } from 'node:crypto';
import { type Definition, defineTask, listOf, text, waitFor } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type AwsClient, encodePart } from '../client/awsClient.ts';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const jobProperties = {
  executionRoleArn: text().describe('The role of the job.'),
  jobName: text().describe('The name of the job.'),
  entryPoint: text().describe('The script or JAR in S3.'),
};

interface Job {
  readonly executionRoleArn: string;
  readonly jobName: string;
  readonly entryPoint: string;
}

async function startJob(client: AwsClient, applicationId: string, job: Job, kind = 'SPARK'): Promise<string> {
  const { executionRoleArn, jobName: name, entryPoint } = job;
  const jobDriver =
    kind.toUpperCase() === 'HIVE' ? { hive: { query: entryPoint } } : { sparkSubmit: { entryPoint } };
  const { jobRunId } = await client.rest(
    { action: 'StartJobRun', method: 'POST', path: `/applications/${encodePart(applicationId)}/jobruns` },
    { clientToken: randomUUID(), executionRoleArn, name, jobDriver },
    z.object({ jobRunId: z.string() }),
  );
  return jobRunId;
}

const create = defineTask({
  type: 'aws.emr.CreateServerlessApplicationAndStartJob',
  title: 'Create an EMR Serverless application and start a job',
  description:
    'Creates an application, waits until it can take jobs, and starts one. The task does not wait for the job.',
  input: () =>
    z.object({
      ...taskConnection,
      releaseLabel: text().describe('The release of EMR, such as `emr-7.5.0`.'),
      applicationType: text().describe('`SPARK` or `HIVE`.'),
      ...jobProperties,
    }),
  output: () =>
    z.object({
      applicationId: z.string().describe('The id of the application.'),
      jobRunId: z.string().describe('The id of the job run.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('aws.emr.CreateServerlessApplicationAndStartJob', 'Run a Spark job.', [
      'releaseLabel: emr-7.5.0',
      'applicationType: SPARK',
      'executionRoleArn: arn:aws:iam::123456789012:role/emr',
      'jobName: count',
      'entryPoint: s3://my-bucket/count.py',
    ]),
  ],
  async run(context, { releaseLabel, applicationType, ...input }) {
    const client = await openClient(context, input, 'emrServerless');
    const { applicationId } = await client.rest(
      { action: 'CreateApplication', method: 'POST', path: '/applications' },
      { clientToken: randomUUID(), name: input.jobName, releaseLabel, type: applicationType },
      z.object({ applicationId: z.string() }),
    );
    await waitFor(context, { intervalMs: 1000, what: `The application ${applicationId}` }, async () => {
      const { application } = await client.rest(
        { action: 'GetApplication', method: 'GET', path: `/applications/${encodePart(applicationId)}` },
        undefined,
        z.object({ application: z.looseObject({ state: z.string() }) }),
      );
      return application.state === 'CREATING' ? undefined : application.state;
    });
    return { applicationId, jobRunId: await startJob(client, applicationId, input, applicationType) };
  },
});

const start = defineTask({
  type: 'aws.emr.StartServerlessJobRun',
  title: 'Start an EMR Serverless job',
  description: 'Starts a Spark job of an application. The task does not wait for it.',
  input: () =>
    z.object({
      ...taskConnection,
      applicationId: text().describe('The id of the application.'),
      ...jobProperties,
    }),
  output: () => z.object({ jobRunId: z.string().describe('The id of the job run.') }),
  sideEffects: true,
  examples: [
    taskExample('aws.emr.StartServerlessJobRun', 'Run a Spark job.', [
      'applicationId: 00f1234567890abc',
      'executionRoleArn: arn:aws:iam::123456789012:role/emr',
      'jobName: count',
      'entryPoint: s3://my-bucket/count.py',
    ]),
  ],
  async run(context, { applicationId, ...input }) {
    const client = await openClient(context, input, 'emrServerless');
    return { jobRunId: await startJob(client, applicationId, input) };
  },
});

const remove = defineTask({
  type: 'aws.emr.DeleteServerlessApplication',
  title: 'Delete EMR Serverless applications',
  description: 'Stops applications and deletes them.',
  input: () =>
    z.object({
      ...taskConnection,
      applicationIds: listOf(text(), { min: 1 }).describe('The ids of the applications.'),
    }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [
    taskExample('aws.emr.DeleteServerlessApplication', 'Delete an application.', [
      'applicationIds:',
      '  - 00f1234567890abc',
    ]),
  ],
  async run(context, { applicationIds, ...connection }) {
    const client = await openClient(context, connection, 'emrServerless');
    for (const id of applicationIds) {
      const path = `/applications/${encodePart(id)}`;
      await client.rest({ action: 'StopApplication', method: 'POST', path: `${path}/stop` }, {}, z.unknown());
      await waitFor(context, { intervalMs: 1000, what: `Stopping the application ${id}` }, async () => {
        const { application } = await client.rest(
          { action: 'GetApplication', method: 'GET', path },
          undefined,
          z.object({ application: z.looseObject({ state: z.string() }) }),
        );
        return ['STOPPED', 'CREATED', 'TERMINATED'].includes(application.state) ? true : undefined;
      });
      await client.rest({ action: 'DeleteApplication', method: 'DELETE', path }, undefined, z.unknown());
    }
    return {};
  },
});

export const emrServerlessTypes: readonly Definition[] = [create, start, remove];
