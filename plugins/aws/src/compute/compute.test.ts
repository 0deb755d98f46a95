import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTaskContext, realNetwork, realProcesses } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AwsDouble, startAwsDouble } from '../testing/awsDouble.ts';
import { anAwsContext, runAws } from '../testing/runAws.ts';

let aws: AwsDouble;
beforeAll(async () => {
  aws = await startAwsDouble();
});
afterAll(() => aws.stop());

test('Lambda: stores the result and copies the log; a function that fails, fails the task', async () => {
  const log = Buffer.from('START\nhello\nEND\n').toString('base64');
  aws.respond(({ body }) => ({
    headers: { 'x-amz-log-result': log, 'x-amz-executed-version': '3', 'content-type': 'application/json' },
    body: { received: body },
  }));
  const context = anAwsContext();
  const input = {
    ...aws.connection,
    functionArn: 'arn:aws:lambda:eu-west-1:1:function:f',
    functionPayload: { a: 1 },
  };
  const done = await runAws('aws.lambda.Invoke', input, context);
  expect(done).toMatchObject({ contentLength: 20, contentType: 'application/json', versionId: '3' });
  expect(await context.files.text(String(done.uri))).toBe('{"received":{"a":1}}');
  expect(context.logs.map(({ message }) => message)).toContain('hello');
  expect(aws.requests[0]?.path).toBe(
    '/2015-03-31/functions/arn:aws:lambda:eu-west-1:1:function:f/invocations',
  );
  aws.respond(() => ({
    headers: { 'x-amz-function-error': 'Unhandled' },
    body: { errorType: 'KeyError', errorMessage: "'id'" },
  }));
  await expect(runAws('aws.lambda.Invoke', input)).rejects.toThrow("failed: KeyError: 'id'");
});

test('Glue: waits for the run, and stops it when the task is killed', async () => {
  const states = ['STARTING', 'RUNNING', 'SUCCEEDED'];
  const run = (JobRunState: string) => ({
    body: { JobRun: { Id: 'r1', JobRunState, StartedOn: 1_700_000_000 } },
  });
  aws.respond(({ action }) =>
    action === 'StartJobRun' ? { body: { JobRunId: 'r1' } } : run(states.shift() ?? ''),
  );
  const input = { ...aws.connection, jobName: 'load', arguments: { '--day': '1' }, interval: 'PT0.01S' };
  expect(await runAws('aws.glue.StartJobRun', input)).toEqual({
    jobName: 'load',
    jobRunId: 'r1',
    state: 'SUCCEEDED',
    startedOn: '2023-11-14T22:13:20.000Z',
  });
  const context = anAwsContext();
  aws.respond(({ action }) => {
    if (action === 'StartJobRun') return { body: { JobRunId: 'r1' } };
    if (action === 'GetJobRun') context.kill();
    return action === 'GetJobRun' ? run('RUNNING') : { body: {} };
  });
  await expect(runAws('aws.glue.StartJobRun', input, context)).rejects.toThrow();
  expect(aws.requests.at(-1)).toMatchObject({ action: 'BatchStopJobRun', body: { JobRunIds: ['r1'] } });
  aws.respond(({ action }) =>
    action === 'StartJobRun'
      ? { body: { JobRunId: 'r1' } }
      : { body: { JobRun: { Id: 'r1', JobRunState: 'FAILED', ErrorMessage: 'no input' } } },
  );
  await expect(runAws('aws.glue.StartJobRun', input)).rejects.toThrow('ended as FAILED: no input');
  aws.respond(() => ({ body: { JobRuns: [{ Id: 'r9', JobRunState: 'STOPPED' }] } }));
  expect(await runAws('aws.glue.GetJobRun', { ...aws.connection, jobName: 'load' })).toMatchObject({
    jobRunId: 'r9',
  });
  const ends = ['STOPPING', 'STOPPED'];
  aws.respond(({ action }) => (action === 'BatchStopJobRun' ? { body: {} } : run(ends.shift() ?? '')));
  const stop = { ...aws.connection, jobName: 'load', jobRunId: 'r1', interval: 'PT0.01S' };
  expect(await runAws('aws.glue.StopJobRun', stop)).toMatchObject({ jobRunId: 'r1', state: 'STOPPED' });
  const ErrorDetail = { ErrorCode: 'JobRunNotInTerminalStateException', ErrorMessage: 'not running' };
  aws.respond(() => ({ body: { Errors: [{ JobName: 'load', JobRunId: 'r1', ErrorDetail }] } }));
  await expect(runAws('aws.glue.StopJobRun', stop)).rejects.toThrow('not running');
});

test('EMR: creates clusters, adds steps, ends clusters', async () => {
  const steps = [
    { name: 's', jar: 'command-runner.jar', commands: ['spark-submit  x.py'], actionOnFailure: 'CONTINUE' },
  ];
  const states = ['STARTING', 'TERMINATED'];
  aws.respond(({ action }) =>
    action === 'RunJobFlow'
      ? { body: { JobFlowId: 'j-1' } }
      : { body: { Cluster: { Status: { State: states.shift() } } } },
  );
  const input = {
    ...aws.connection,
    clusterName: 'c',
    masterInstanceType: 'm',
    slaveInstanceType: 's',
    instanceCount: 2,
    applications: ['Spark'],
    steps,
    wait: true,
    completionCheckInterval: 'PT0.01S',
  };
  expect(await runAws('aws.emr.CreateClusterAndSubmitSteps', input)).toEqual({ jobFlowId: 'j-1' });
  expect(aws.requests[0]?.body).toMatchObject({
    ReleaseLabel: 'emr-5.20.0',
    JobFlowRole: 'EMR_EC2_DefaultRole',
    Instances: { InstanceCount: 2, KeepJobFlowAliveWhenNoSteps: false },
    Applications: [{ Name: 'Spark' }],
    Steps: [{ HadoopJarStep: { Jar: 'command-runner.jar', Args: ['spark-submit', 'x.py'] } }],
  });
  aws.respond(() => ({ body: { StepIds: ['s-1'] } }));
  await runAws('aws.emr.SubmitSteps', { ...aws.connection, clusterId: 'j-1', steps });
  await runAws('aws.emr.DeleteCluster', { ...aws.connection, clusterIds: ['j-1'] });
  expect(aws.requests.map(({ action }) => action)).toEqual(['AddJobFlowSteps', 'TerminateJobFlows']);
});

test('EMR Serverless: creates, starts and deletes', async () => {
  aws.respond(({ method, path }) => {
    if (method === 'GET') return { body: { application: { state: 'CREATED' } } };
    return { body: path.endsWith('/jobruns') ? { jobRunId: 'r1' } : { applicationId: 'a1' } };
  });
  const job = { executionRoleArn: 'arn:r', jobName: 'j', entryPoint: 's3://b/x.py' };
  const create = { ...aws.connection, releaseLabel: 'emr-7.5.0', applicationType: 'SPARK', ...job };
  expect(await runAws('aws.emr.CreateServerlessApplicationAndStartJob', create)).toEqual({
    applicationId: 'a1',
    jobRunId: 'r1',
  });
  expect(
    await runAws('aws.emr.StartServerlessJobRun', { ...aws.connection, applicationId: 'a1', ...job }),
  ).toEqual({
    jobRunId: 'r1',
  });
  expect(aws.requests.at(-1)?.body).toMatchObject({
    jobDriver: { sparkSubmit: { entryPoint: 's3://b/x.py' } },
  });
  await runAws('aws.emr.DeleteServerlessApplication', { ...aws.connection, applicationIds: ['a1'] });
  expect(aws.requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/applications/a1' });
});

test('the AWS CLI gets credentials in its environment, and a profile for the role', async () => {
  const context = aTaskContext({ ...realNetwork(), spawn: realProcesses });
  const programs = join(await context.workingDirectory(), 'bin');
  await mkdir(programs);
  const program = join(programs, 'aws');
  await writeFile(
    program,
    '#!/bin/sh\necho "$AWS_ACCESS_KEY_ID $AWS_DEFAULT_REGION $AWS_DEFAULT_OUTPUT $AWS_PROFILE: $*"\n',
  );
  await chmod(program, 0o755);
  await runAws(
    'aws.cli.AwsCLI',
    {
      ...aws.connection,
      stsRoleArn: 'arn:r',
      outputFormat: 'TEXT',
      env: { PATH: `${programs}:${process.env.PATH}` },
      commands: ['aws s3 ls'],
    },
    context,
  );
  const lines = context.logs.map(({ message }) => message);
  const prefix = 'AKIDEXAMPLE eu-west-1 text millrace-role:';
  expect(lines).toContain(`${prefix} configure set role_arn arn:r --profile millrace-role`);
  expect(lines).toContain(`${prefix} s3 ls`);
});
