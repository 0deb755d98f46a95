import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type AwsDouble, keys, secretOf, startAwsDouble } from '../testing/awsDouble.ts';
import { anAwsContext, runAws } from '../testing/runAws.ts';
import { findServerCredentials } from './serverCredentials.ts';

let aws: AwsDouble;
beforeAll(async () => {
  aws = await startAwsDouble();
});
afterAll(() => aws.stop());

const assumed = (action: string, id: string) =>
  `<${action}Response><${action}Result><Credentials><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>${secretOf(id)}</SecretAccessKey><SessionToken>token of ${id}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></${action}Result></${action}Response>`;

async function aFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-aws-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

test('a task assumes the role it names, with its external id', async () => {
  aws.respond(({ action }) =>
    action === 'AssumeRole' ? { body: assumed('AssumeRole', 'ROLE') } : { body: { MessageId: '1' } },
  );
  const context = anAwsContext();
  await runAws(
    'aws.dynamodb.DeleteItem',
    {
      ...aws.connection,
      stsEndpointOverride: aws.endpoint,
      stsRoleArn: 'arn:aws:iam::1:role/r',
      stsRoleExternalId: 'x',
      stsRoleSessionDuration: 'PT20M',
      tableName: 't',
      key: { id: '1' },
    },
    context,
  );
  expect(aws.requests.map(({ service }) => service)).toEqual(['sts', 'dynamodb']);
  expect(aws.requests[0]?.body).toMatchObject({
    RoleArn: 'arn:aws:iam::1:role/r',
    ExternalId: 'x',
    DurationSeconds: '1200',
  });
  expect(aws.requests[1]?.headers['x-amz-security-token']).toBe('token of ROLE');
  await context.log('INFO', `leaks ${secretOf('ROLE')}`);
  expect(context.logs.at(-1)?.message).not.toContain('secret of');
});

test('a wrong secret is said to be wrong, and half a key is refused', async () => {
  aws.respond(() => ({ body: {} }));
  const input = { ...aws.connection, tableName: 't', key: { id: '1' } };
  await expect(runAws('aws.dynamodb.DeleteItem', { ...input, secretKeyId: 'wrong' })).rejects.toThrow(
    'DynamoDB refused DeleteItem: SignatureDoesNotMatch',
  );
  await expect(runAws('aws.dynamodb.DeleteItem', { ...input, secretKeyId: undefined })).rejects.toThrow(
    '"accessKeyId" and "secretKeyId" must be given together.',
  );
});

test('throttled calls are sent again', async () => {
  let count = 0;
  aws.respond(() =>
    ++count < 3 ? { status: 400, body: { __type: 'ThrottlingException', message: 'slow' } } : { body: {} },
  );
  await runAws('aws.dynamodb.DeleteItem', { ...aws.connection, tableName: 't', key: { id: '1' } });
  expect(count).toBe(3);
});

test('a host that does not answer is named', async () => {
  const input = {
    ...aws.connection,
    endpointOverride: 'http://127.0.0.1:9',
    tableName: 't',
    key: { id: '1' },
  };
  await expect(runAws('aws.dynamodb.DeleteItem', input)).rejects.toThrow(
    'DynamoDB did not answer DeleteItem at http://127.0.0.1:9',
  );
});

const find = (env: Record<string, string>) =>
  findServerCredentials(anAwsContext(), {
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/none',
    AWS_SHARED_CREDENTIALS_FILE: '/none',
    ...env,
  });

test('the server has credentials in its environment', async () => {
  const env = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S', AWS_SESSION_TOKEN: 'T' };
  expect(await find(env)).toMatchObject({ accessKeyId: 'A', secretAccessKey: 'S', sessionToken: 'T' });
  await expect(find({})).rejects.toThrow('No credentials: set "accessKeyId"');
});

test('the server has profiles: keys, a role on top of another profile, a program', async () => {
  const folder = await aFolder({
    credentials: `[default]\naws_access_key_id = ${keys.accessKeyId}\naws_secret_access_key = ${keys.secretKeyId}\n`,
    config: `[profile admin]\nrole_arn = arn:aws:iam::1:role/admin\nsource_profile = default\nregion = eu-west-1\n\n[profile tool]\ncredential_process = echo '{"Version": 1, "AccessKeyId": "P", "SecretAccessKey": "PS"}'\n`,
  });
  const files = {
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
    AWS_CONFIG_FILE: join(folder, 'config'),
  };
  expect(await find(files)).toMatchObject({ accessKeyId: keys.accessKeyId });
  expect(await find({ ...files, AWS_PROFILE: 'tool' })).toMatchObject({
    accessKeyId: 'P',
    secretAccessKey: 'PS',
  });
  aws.respond(() => ({ body: assumed('AssumeRole', 'ADMIN') }));
  const admin = { ...files, AWS_PROFILE: 'admin', AWS_ENDPOINT_URL_STS: aws.endpoint };
  expect(await find(admin)).toMatchObject({
    accessKeyId: 'ADMIN',
    expiresAt: Date.parse('2099-01-01T00:00:00Z'),
  });
  expect(aws.requests[0]?.body).toMatchObject({ RoleArn: 'arn:aws:iam::1:role/admin' });
  await expect(find({ ...files, AWS_PROFILE: 'nobody' })).rejects.toThrow('There is no profile "nobody".');
});

test('the server has a web identity', async () => {
  const folder = await aFolder({ token: 'a.web.token\n' });
  aws.respond(() => ({ body: assumed('AssumeRoleWithWebIdentity', 'WEB') }));
  const found = await find({
    AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'token'),
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/pod',
    AWS_ENDPOINT_URL_STS: aws.endpoint,
  });
  expect(found).toMatchObject({ accessKeyId: 'WEB' });
  expect(aws.requests[0]?.body).toMatchObject({
    WebIdentityToken: 'a.web.token',
    RoleArn: 'arn:aws:iam::1:role/pod',
  });
});

test('a container and an instance are asked for credentials', async () => {
  const body = { AccessKeyId: 'META', SecretAccessKey: 'S', Token: 'T', Expiration: '2099-01-01T00:00:00Z' };
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request;
    if (url === '/container' && headers.authorization === 'pod') response.end(JSON.stringify(body));
    else if (url === '/latest/api/token' && method === 'PUT') response.end('t');
    else if (headers['x-aws-ec2-metadata-token'] !== 't') response.writeHead(401).end();
    else if (url.endsWith('/security-credentials/')) response.end('my-role');
    else if (url.endsWith('/security-credentials/my-role')) response.end(JSON.stringify(body));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // `as`: a server that listens on a port has such an address.
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const container = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${base}/container`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: 'pod',
  };
  expect(await find(container)).toMatchObject({ accessKeyId: 'META', sessionToken: 'T' });
  const instance = { AWS_EC2_METADATA_DISABLED: '', AWS_EC2_METADATA_SERVICE_ENDPOINT: base };
  expect(await find(instance)).toMatchObject({ accessKeyId: 'META' });
});
