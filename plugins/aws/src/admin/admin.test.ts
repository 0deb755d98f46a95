import { storedRows } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { awsFamily } from '../index.ts';
import { type AwsDouble, startAwsDouble, streamEvent } from '../testing/awsDouble.ts';
import { anAwsContext, pollAws, runAws } from '../testing/runAws.ts';

let aws: AwsDouble;
beforeAll(async () => {
  aws = await startAwsDouble();
});
afterAll(() => aws.stop());

const run = (name: string, properties: object = {}, context = anAwsContext()) =>
  runAws(`aws.${name}`, { ...aws.connection, ...properties }, context);
const unseal = (value: unknown) =>
  Buffer.from(String((value as { value: string }).value), 'base64').toString('utf8');

test('ECR: returns the password part, sealed', async () => {
  const authorizationToken = Buffer.from('AWS:the-password').toString('base64');
  aws.respond(() => ({ body: { authorizationData: [{ authorizationToken }] } }));
  const { token } = await run('ecr.GetAuthToken');
  expect(unseal(token)).toBe('the-password');
  expect(aws.requests[0]).toMatchObject({ service: 'ecr', action: 'GetAuthorizationToken' });
});

test('EKS: signs a request that the cluster can send', async () => {
  const { token } = (await run('auth.EksToken', { clusterName: 'prod' })) as {
    token: { tokenValue: unknown };
  };
  const text = unseal(token.tokenValue);
  const url = new URL(Buffer.from(text.slice('k8s-aws-v1.'.length), 'base64url').toString());
  expect(text).toMatch(/^k8s-aws-v1\./);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    Action: 'GetCallerIdentity',
    'X-Amz-Expires': '600',
    'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
    'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('Athena: waits for the query and gives cells their types', async () => {
  const states = ['QUEUED', 'RUNNING', 'SUCCEEDED'];
  const column = (Name: string, Type: string) => ({ Name, Type });
  const cells = (...values: (string | null)[]) => ({
    Data: values.map((value) => (value === null ? {} : { VarCharValue: value })),
  });
  const metadata = {
    ColumnInfo: [column('id', 'bigint'), column('paid', 'boolean'), column('note', 'varchar')],
  };
  aws.respond(({ action, body }) => {
    if (action === 'StartQueryExecution') return { body: { QueryExecutionId: 'q1' } };
    if (action === 'GetQueryExecution')
      return {
        body: {
          QueryExecution: { Status: { State: states.shift() }, Statistics: { DataScannedInBytes: 7 } },
        },
      };
    const rows = body.NextToken
      ? [cells('2', 'false', null)]
      : [cells('id', 'paid', 'note'), cells('1', 'true', 'x')];
    return {
      body: {
        ResultSet: { Rows: rows, ResultSetMetadata: metadata },
        ...(body.NextToken ? {} : { NextToken: 'more' }),
      },
    };
  });
  const context = anAwsContext();
  const query = { database: 'd', outputLocation: 's3://b/', query: 'SELECT 1' };
  const done = await run('athena.Query', query, context);
  expect(done).toMatchObject({ queryExecutionId: 'q1', size: 2 });
  expect(await storedRows(context, done.uri)).toEqual([
    { id: 1, paid: true, note: 'x' },
    { id: 2, paid: false, note: null },
  ]);
  expect(context.metrics).toContainEqual({ name: 'data.scanned.bytes', type: 'counter', value: 7 });
  aws.respond(({ action }) =>
    action === 'StartQueryExecution'
      ? { body: { QueryExecutionId: 'q1' } }
      : {
          body: {
            QueryExecution: { Status: { State: 'FAILED', StateChangeReason: 'line 1:8: no such column' } },
          },
        },
  );
  await expect(run('athena.Query', query)).rejects.toThrow('ended as FAILED: line 1:8: no such column');
  const killed = anAwsContext();
  aws.respond(({ action }) => {
    if (action === 'GetQueryExecution') killed.kill();
    return action === 'GetQueryExecution'
      ? { body: { QueryExecution: { Status: { State: 'RUNNING' } } } }
      : { body: { QueryExecutionId: 'q1' } };
  });
  await expect(run('athena.Query', query, killed)).rejects.toThrow();
  expect(aws.requests.at(-1)?.action).toBe('StopQueryExecution');
});

test('CloudWatch: reads and sends values', async () => {
  const point = (time: string, value: string) =>
    `<member><Timestamp>${time}</Timestamp><Average>${value}</Average><Unit>Percent</Unit></member>`;
  const datapoints = `${point('2026-01-01T00:01:00Z', '2.5')}${point('2026-01-01T00:00:00Z', '1')}`;
  aws.respond(() => ({
    body: `<GetMetricStatisticsResponse><GetMetricStatisticsResult><Datapoints>${datapoints}</Datapoints></GetMetricStatisticsResult></GetMetricStatisticsResponse>`,
  }));
  const query = { namespace: 'AWS/EC2', metricName: 'CPU', dimensions: [{ name: 'Id', value: 'i-1' }] };
  const expected = {
    count: 2,
    series: [
      { timestamp: '2026-01-01T00:00:00Z', value: 1, unit: 'Percent' },
      { timestamp: '2026-01-01T00:01:00Z', value: 2.5, unit: 'Percent' },
    ],
  };
  expect(await run('cloudwatch.Query', query)).toEqual(expected);
  expect(aws.requests[0]?.body).toMatchObject({
    'Statistics.member.1': 'Average',
    'Dimensions.member.1.Name': 'Id',
    Period: '60',
  });
  expect(await pollAws('aws.cloudwatch.Trigger', { ...aws.connection, ...query })).toEqual(expected);
  aws.respond(() => ({ body: '<PutMetricDataResponse/>' }));
  const metrics = [{ metricName: 'rows', value: 3, unit: 'Count', dimensions: { country: 'DE' } }];
  expect(await run('cloudwatch.Push', { namespace: 'N', metrics })).toEqual({ count: 1 });
  expect(aws.requests[0]?.body).toMatchObject({
    'MetricData.member.1.Value': '3',
    'MetricData.member.1.Dimensions.member.1.Value': 'DE',
  });
});

test('CloudFormation: waits for the stack and returns its outputs', async () => {
  const stack = (status: string) =>
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackStatus>${status}</StackStatus><StackStatusReason>why</StackStatusReason><Outputs><member><OutputKey>Name</OutputKey><OutputValue>b1</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  const created =
    '<CreateStackResponse><CreateStackResult><StackId>arn:s</StackId></CreateStackResult></CreateStackResponse>';
  aws.respond(({ action }) => ({ body: action === 'CreateStack' ? created : stack('CREATE_COMPLETE') }));
  const input = { stackName: 's', templateBody: 'Resources: {}', parameters: { A: '1' } };
  expect(await run('cloudformation.Create', input)).toEqual({
    stackId: 'arn:s',
    stackName: 's',
    stackOutputs: { Name: 'b1' },
  });
  expect(aws.requests[0]?.body).toMatchObject({
    'Parameters.member.1.ParameterKey': 'A',
    'Capabilities.member.1': 'CAPABILITY_IAM',
  });
  aws.respond(({ action }) => ({ body: action === 'CreateStack' ? created : stack('ROLLBACK_COMPLETE') }));
  await expect(run('cloudformation.Create', input)).rejects.toThrow('ended as ROLLBACK_COMPLETE: why');
  aws.respond(({ action }) =>
    action === 'DeleteStack'
      ? { body: '<DeleteStackResponse/>' }
      : { status: 400, body: '<ErrorResponse><Error><Code>ValidationError</Code></Error></ErrorResponse>' },
  );
  expect(await run('cloudformation.Delete', { stackName: 's' })).toEqual({});
});

test('Bedrock: converses, at once and piece by piece', async () => {
  const ask = {
    modelId: 'a.model:0',
    messages: [{ role: 'user', content: 'Hi' }],
    inferenceConfig: { maxTokens: '9' },
  };
  aws.respond(() => ({
    body: {
      output: { message: { content: [{ text: 'Hello' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 2 },
    },
  }));
  const answer = {
    modelId: 'a.model:0',
    content: 'Hello',
    stopReason: 'end_turn',
    inputTokens: 1,
    outputTokens: 2,
  };
  expect(await run('bedrock.Converse', ask)).toEqual(answer);
  expect(aws.requests[0]).toMatchObject({
    service: 'bedrock',
    path: '/model/a.model:0/converse',
    body: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }], inferenceConfig: { maxTokens: 9 } },
  });
  aws.respond(() => ({
    body: Buffer.concat([
      streamEvent('contentBlockDelta', { delta: { text: 'Hel' } }),
      streamEvent('contentBlockDelta', { delta: { text: 'lo' } }),
      streamEvent('messageStop', { stopReason: 'end_turn' }),
      streamEvent('metadata', { usage: { inputTokens: 1, outputTokens: 2 } }),
    ]),
  }));
  expect(await run('bedrock.ConverseStream', ask)).toEqual(answer);
  aws.respond(() => ({ body: streamEvent('throttlingException', { message: 'slow down' }, 'exception') }));
  await expect(run('bedrock.ConverseStream', ask)).rejects.toThrow('throttlingException: slow down');
  aws.respond(() => ({ body: { embedding: [1] } }));
  expect(await run('bedrock.InvokeModel', { modelId: 'm', body: { inputText: 'x' } })).toEqual({
    modelId: 'm',
    body: { embedding: [1] },
  });
  aws.respond(({ query }) => ({ body: { modelSummaries: [{ modelId: 'm', query }] } }));
  expect(await run('bedrock.ListFoundationModels', { byProvider: 'Amazon' })).toEqual({
    models: [{ modelId: 'm', query: { byProvider: 'Amazon' } }],
  });
});

test('MSK: clusters, and a trigger that starts once', async () => {
  const clusterInfo = { clusterArn: 'arn:c/1', clusterName: 'c', state: 'ACTIVE', numberOfBrokerNodes: 2 };
  aws.respond(({ path, method }) => {
    if (path.endsWith('/bootstrap-brokers')) return { body: { bootstrapBrokerStringTls: 'b:9094' } };
    if (path === '/v1/clusters' && method === 'GET') return { body: { clusterInfoList: [clusterInfo] } };
    return { body: method === 'GET' ? { clusterInfo } : { clusterArn: 'arn:c/1', state: `${method}ING` } };
  });
  expect(await run('msk.DescribeCluster', { clusterArn: 'arn:c/1' })).toMatchObject(clusterInfo);
  expect(aws.requests[0]?.path).toBe('/v1/clusters/arn:c/1');
  expect(await run('msk.GetBootstrapBrokers', { clusterArn: 'arn:c/1' })).toEqual({
    bootstrapBrokerStringTls: 'b:9094',
  });
  expect(await run('msk.ListClusters')).toMatchObject({ total: 1 });
  expect(await run('msk.DeleteCluster', { clusterArn: 'arn:c/1' })).toEqual({
    clusterArn: 'arn:c/1',
    state: 'DELETEING',
  });
  const made = {
    clusterName: 'c',
    kafkaVersion: '3.7',
    numberOfBrokerNodes: 2,
    instanceType: 'i',
    clientSubnets: ['s'],
    securityGroups: ['g'],
    ebsVolumeSize: 5,
  };
  await run('msk.CreateCluster', made);
  expect(aws.requests.at(-1)?.body).toMatchObject({
    brokerNodeGroupInfo: { instanceType: 'i', storageInfo: { ebsStorageInfo: { volumeSize: 5 } } },
  });
  const context = anAwsContext();
  const poll = () =>
    pollAws('aws.msk.Trigger', { ...aws.connection, clusterArn: 'arn:c/1', targetState: 'ACTIVE' }, context);
  expect(await poll()).toEqual({ clusterArn: 'arn:c/1', clusterState: 'ACTIVE' });
  expect(await poll()).toBeUndefined();
});

test('HealthLake: data stores, jobs and a trigger for jobs that ended', async () => {
  const store = {
    DatastoreId: 'd',
    DatastoreArn: 'arn:d',
    DatastoreStatus: 'ACTIVE',
    DatastoreEndpoint: 'https://d',
  };
  const job = { JobId: 'j', JobStatus: 'SUBMITTED', DatastoreId: 'd' };
  const later = { ...job, JobStatus: 'COMPLETED', EndTime: 4_000_000_000 };
  aws.respond(({ action }) => {
    if (action === 'DescribeFHIRDatastore') return { body: { DatastoreProperties: store } };
    if (action === 'ListFHIRDatastores') return { body: { DatastorePropertiesList: [store] } };
    if (action === 'DescribeFHIRExportJob') return { body: { ExportJobProperties: later } };
    if (action === 'DescribeFHIRImportJob') return { body: { ImportJobProperties: later } };
    if (action === 'ListFHIRImportJobs') return { body: { ImportJobPropertiesList: [job, later] } };
    return { body: action.startsWith('Start') ? job : store };
  });
  const facts = {
    datastoreId: 'd',
    datastoreArn: 'arn:d',
    datastoreStatus: 'ACTIVE',
    datastoreEndpoint: 'https://d',
  };
  expect(await run('healthlake.CreateDatastore', { datastoreName: 'n' })).toEqual(facts);
  expect(await run('healthlake.DescribeDatastore', { datastoreId: 'd' })).toEqual(facts);
  expect(await run('healthlake.DeleteDatastore', { datastoreId: 'd' })).toMatchObject({ datastoreId: 'd' });
  expect(await run('healthlake.ListDatastores', { filterStatus: 'ACTIVE' })).toMatchObject({ total: 1 });
  const access = { datastoreId: 'd', outputS3Uri: 's3://b', dataAccessRoleArn: 'arn:r' };
  expect(await run('healthlake.StartExportJob', access)).toMatchObject({
    jobId: 'j',
    jobStatus: 'SUBMITTED',
  });
  expect(await run('healthlake.StartImportJob', { ...access, inputS3Uri: 's3://i' })).toMatchObject({
    jobId: 'j',
  });
  for (const kind of ['Export', 'Import'])
    expect(await run(`healthlake.Describe${kind}Job`, { datastoreId: 'd', jobId: 'j' })).toMatchObject({
      jobStatus: 'COMPLETED',
    });
  const context = anAwsContext();
  const poll = () => pollAws('aws.healthlake.Trigger', { ...aws.connection, datastoreId: 'd' }, context);
  expect(await poll()).toBeUndefined();
  expect(await poll()).toEqual({ jobId: 'j', jobStatus: 'COMPLETED' });
  expect(await poll()).toBeUndefined();
});

test('S3 Files: file systems and mount targets', async () => {
  const system = { fileSystemId: 'fs', status: 'available', bucket: 'arn:b', creationTime: 1_700_000_000 };
  const target = { mountTargetId: 'mt', ipv4Address: '10.0.0.1', status: 'creating' };
  aws.respond(({ method, path }) => {
    if (method === 'DELETE') return { status: 204, body: '' };
    if (path === '/mount-targets') return { body: method === 'GET' ? { mountTargets: [target] } : target };
    return {
      body: method === 'GET' && path === '/file-systems' ? { fileSystems: [system], nextToken: 'n' } : system,
    };
  });
  const facts = { ...system, creationTime: 1_700_000_000_000 };
  expect(
    await run('s3.files.CreateFileSystem', { bucket: 'arn:b', roleArn: 'arn:r', tags: { a: '1' } }),
  ).toMatchObject({ fileSystemId: 'fs' });
  expect(aws.requests[0]).toMatchObject({
    service: 's3files',
    method: 'PUT',
    body: { tags: [{ key: 'a', value: '1' }] },
  });
  expect(await run('s3.files.GetFileSystem', { fileSystemId: 'fs' })).toEqual({ fileSystem: facts });
  expect(await run('s3.files.ListFileSystems', { maxResults: 1 })).toEqual({
    fileSystems: [facts],
    nextToken: 'n',
  });
  expect(await run('s3.files.CreateMountTarget', { fileSystemId: 'fs', subnetId: 's' })).toMatchObject({
    ipAddress: '10.0.0.1',
  });
  expect(await run('s3.files.ListMountTargets', { fileSystemId: 'fs' })).toMatchObject({
    mountTargets: [{ mountTargetId: 'mt' }],
  });
  await run('s3.files.DeleteMountTarget', { mountTargetId: 'mt' });
  await run('s3.files.DeleteFileSystem', { fileSystemId: 'fs' });
  expect(aws.requests.slice(-2).map(({ path }) => path)).toEqual(['/mount-targets/mt', '/file-systems/fs']);
});

test('lines of the log go to CloudWatch Logs in the order of their dates, and to an object in S3', async () => {
  const send = (type: string, properties: object, messages: readonly string[]) => {
    const exporter = awsFamily.types.find((each) => each.type === type);
    if (exporter?.kind !== 'logExporter') throw new Error(`No exporter ${type}`);
    const lines = async function* () {
      for (const [index, message] of messages.entries())
        yield { message, timestamp: new Date(1_000_000 - index).toISOString() };
    };
    const input = exporter.input.parse({ ...aws.connection, ...properties });
    return exporter.export(anAwsContext(), input, lines());
  };
  aws.respond(({ action }) =>
    action === 'CreateLogStream'
      ? { status: 400, body: { __type: 'ResourceAlreadyExistsException', message: 'exists' } }
      : { body: {} },
  );
  const place = { logGroupName: 'g', logStreamName: 's' };
  expect(await send('aws.cloudwatch.LogExporter', place, ['late', 'early'])).toEqual({ size: 2 });
  expect(aws.requests[1]?.body).toMatchObject({
    ...place,
    logEvents: [
      { timestamp: 999_999, message: expect.stringContaining('early') },
      { timestamp: 1_000_000, message: expect.stringContaining('late') },
    ],
  });
  aws.respond(() => ({ headers: { etag: '"e"' }, body: '' }));
  const bucket = { bucket: 'logs', logFilePrefix: 'millrace/' };
  expect(await send('aws.s3.LogExporter', bucket, ['a'])).toEqual({
    size: 1,
    key: expect.stringMatching(/^millrace\/.*\.jsonl$/),
  });
  expect(JSON.stringify(aws.requests[0]?.body)).toContain('message');
  expect(await send('aws.s3.LogExporter', bucket, [])).toEqual({ size: 0 });
});
