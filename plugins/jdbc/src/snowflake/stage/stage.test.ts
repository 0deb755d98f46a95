import { execFileSync } from 'node:child_process';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startS3 } from '@millrace/plugin-aws/testing';
import { createOutboundClient, type OutboundRequest } from '@millrace/plugin-kit';
import { aTaskContext } from '@millrace/plugin-kit/testing';
import { AwsV4Signer } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runnerOf } from '../../testing/databaseContext.ts';
import { playDatabase, type Received } from '../../testing/httpServer.ts';
import { snowflakeTypes } from '../index.ts';
import { downloadFromStage, uploadToStage } from './transfer.ts';

const run = runnerOf(snowflakeTypes);
const outbound = createOutboundClient();
const master = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
const material = { queryStageMasterKey: master.toString('base64'), queryId: 'q-1', smkId: 9081 };
const text = 'id,name\n1,Ada\n2,Grace\n'.repeat(200);

let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());

/** A context that reaches the servers of the test under the names of the clouds, and records what it sent. */
function aStageContext(cloud: string) {
  const sent: OutboundRequest[] = [];
  const context = aTaskContext({
    fetch: async (request) => {
      const url = new URL(request.url);
      if (url.hostname === '127.0.0.1') return outbound.send(request);
      sent.push(request);
      if (url.hostname.endsWith('.amazonaws.com')) return outbound.send(await toPathStyle(request, cloud));
      const headers = { ...request.headers, host: url.host };
      return outbound.send({ ...request, url: `${cloud}${url.pathname}${url.search}`, headers });
    },
  });
  return { context, sent };
}

/** Checks the signature as S3 does. The test's S3 has no buckets in host names, so it gets another signature. */
async function toPathStyle(request: OutboundRequest, endpoint: string): Promise<OutboundRequest> {
  const url = new URL(request.url);
  const headers = Object.fromEntries(
    Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  const { authorization = '' } = headers;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const scope = /Credential=S3RVER\/([^,]+)/.exec(authorization)?.[1] ?? '';
  const sha256 = (value: string | Uint8Array) => createHash('sha256').update(value).digest('hex');
  const canonical = [
    request.method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${name === 'host' ? url.host : headers[name]}`),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((from, part) => createHmac('sha256', from).update(part).digest(), 'AWS4S3RVER');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const signature = createHmac('sha256', key).update(toSign).digest('hex');
  expect(authorization).toContain(`Signature=${signature}`);
  expect(headers['x-amz-security-token']).toBe('session-token');
  const body = request.body as string | Uint8Array | undefined; // Parts are in memory.
  if (body !== undefined) expect(headers['x-amz-content-sha256']).toBe(sha256(body));

  const [bucket] = url.host.split('.');
  const signed = new Set(['authorization', 'x-amz-date', 'x-amz-security-token', 'host', 'content-length']);
  const signer = new AwsV4Signer({
    method: request.method ?? 'GET',
    url: `${endpoint}/${bucket}${url.pathname}${url.search}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !signed.has(name))),
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    service: 's3',
    region: 'eu-west-1',
  });
  const again = await signer.sign();
  const length = headers['content-length'];
  return {
    ...request,
    url: again.url.href,
    headers: { ...Object.fromEntries(again.headers), ...(length && { 'content-length': length }) },
  };
}

/** Decrypts by the description of the scheme with another implementation: that of OpenSSL. */
function decrypt(content: Buffer, key: string, iv: string): Buffer {
  const openssl = (input: Buffer, ...args: string[]) =>
    execFileSync('openssl', ['enc', '-d', ...args], { input, maxBuffer: 64 * 1_048_576 });
  const fileKey = openssl(Buffer.from(key, 'base64'), '-aes-128-ecb', '-K', master.toString('hex'));
  const vector = Buffer.from(iv, 'base64').toString('hex');
  return openssl(content, '-aes-128-cbc', '-K', fileKey.toString('hex'), '-iv', vector);
}

const s3Stage = {
  locationType: 'S3',
  location: 'files/stages/7/',
  region: 'eu-west-1',
  creds: { AWS_KEY_ID: 'S3RVER', AWS_SECRET_KEY: 'S3RVER', AWS_TOKEN: 'session-token' },
};

/** A session that only knows where the stage is. */
const sessionOf = (data: object) => ({ transfer: () => Promise.resolve(data) });

describe('a stage in S3', () => {
  test('Upload compresses and encrypts a file, and Download returns it', async () => {
    const commands: string[] = [];
    const { host } = await playDatabase(({ url, body }, response) => {
      const { sqlText = '' } = JSON.parse(body || '{}');
      if (url.pathname.includes('query-request')) commands.push(sqlText);
      const data = sqlText.startsWith('PUT')
        ? { command: 'UPLOAD', stageInfo: s3Stage, encryptionMaterial: material }
        : sqlText.startsWith('GET')
          ? {
              command: 'DOWNLOAD',
              stageInfo: s3Stage,
              src_locations: ['in/customers.csv.gz.old', 'in/customers.csv.gz'],
              encryptionMaterial: [null, material],
            }
          : { token: 'T' };
      response.end(JSON.stringify({ success: true, data }));
    });
    const { context, sent } = aStageContext(s3.minio.endpoint);
    const from = await context.files.put('customers.csv', text);
    const login = {
      url: `jdbc:snowflake://${host}/?ssl=off`,
      username: 'me',
      password: 'pw',
      schema: 'PUBLIC',
    };
    const place = { ...login, stageName: '@%customers', fileName: 'customers.csv' };

    expect(await run('Upload', { ...place, from, prefix: '/in/' }, context)).toEqual({
      uri: 'in/customers.csv.gz',
    });
    expect(commands).toEqual([
      "PUT 'file:///tmp/customers.csv.gz' '@%customers/in' OVERWRITE = TRUE AUTO_COMPRESS = FALSE SOURCE_COMPRESSION = GZIP",
    ]);
    const [put] = sent;
    expect(put?.url).toBe('https://files.s3.eu-west-1.amazonaws.com/stages/7/customers.csv.gz');
    const headers = put?.headers ?? {};
    // `as`: a small file is sent from memory.
    const stored = Buffer.from(put?.body as Uint8Array);
    const plain = decrypt(
      stored,
      String(headers['x-amz-meta-x-amz-key']),
      String(headers['x-amz-meta-x-amz-iv']),
    );
    expect(gunzipSync(plain).toString()).toBe(text);
    expect(headers['x-amz-meta-sfc-digest']).toBe(createHash('sha256').update(plain).digest('base64'));
    expect(JSON.parse(String(headers['x-amz-meta-x-amz-matdesc']))).toEqual({
      queryId: 'q-1',
      smkId: '9081',
      keySize: '128',
    });

    // The double stores the file under the stage; Snowflake adds the folder to the location.
    await uploadToStage(
      context,
      sessionOf({ stageInfo: { ...s3Stage, location: 'files/stages/7/in' }, encryptionMaterial: material }),
      { stageName: '~', prefix: '', fileName: 'customers.csv', from, compress: true },
    );
    const { uri } = await run('Download', { ...place, fileName: '/in/customers.csv' }, context);
    expect(commands.at(-1)).toBe("GET '@%customers/in/customers.csv' 'file:///tmp/'");
    expect(String(uri)).toMatch(/customers\.csv$/);
    expect(await context.files.text(String(uri))).toBe(text);
    for (const secret of ['session-token', material.queryStageMasterKey])
      expect(context.masker.mask(secret)).not.toContain(secret);
  });

  test('a large file is sent in parts', async () => {
    const { context, sent } = aStageContext(s3.minio.endpoint);
    const content = randomBytes(11 * 1_048_576);
    const from = await context.files.put('large.bin', content);
    const stageInfo = { ...s3Stage, isClientSideEncrypted: false };
    const upload = { stageName: '@s', prefix: '', fileName: 'large file.bin', from, compress: false };
    await uploadToStage(context, sessionOf({ stageInfo, encryptionMaterial: material }), {
      ...upload,
      partBytes: 5 * 1_048_576,
    });
    expect(sent.map(({ method, url }) => `${method} ${new URL(url).search.replace(/=.*/, '')}`)).toEqual([
      'POST ?uploads',
      'PUT ?partNumber',
      'PUT ?partNumber',
      'PUT ?partNumber',
      'POST ?uploadId',
    ]);
    const session = sessionOf({ stageInfo, src_locations: ['large file.bin'] });
    const uri = await downloadFromStage(context, session, { ...upload, fileName: 'large file.bin' });
    expect(context.files.byPath.get(decodeURIComponent(new URL(uri).pathname))?.equals(content)).toBe(true);
  });

  test('explains a missing file, one that is not compressed, and a refusal', async () => {
    const { context } = aStageContext(s3.minio.endpoint);
    const download = (src_locations: string[], more: object = {}) =>
      downloadFromStage(context, sessionOf({ stageInfo: { ...s3Stage, ...more }, src_locations }), {
        stageName: '@s',
        fileName: 'a.csv',
        compress: true,
      });
    await expect(download(['a.csv_old'])).rejects.toThrow(
      'The stage "@s" has no file "a.csv". Similar names: "a.csv_old".',
    );
    await expect(download(['a.csv'])).rejects.toThrow(
      /files\.s3\.eu-west-1\.amazonaws\.com, did not read the file: HTTP status 404, NoSuchKey/,
    );
    await expect(download(['a.csv'], { locationType: 'LOCAL_FS' })).rejects.toThrow(
      'The stage is stored in "LOCAL_FS". This task supports stages in S3, AZURE and GCS.',
    );
    const from = await context.files.put('a.csv', text);
    const plain = { ...s3Stage, isClientSideEncrypted: false };
    await uploadToStage(context, sessionOf({ stageInfo: plain }), {
      stageName: '@s',
      prefix: '',
      fileName: 'a.csv',
      from,
      compress: false,
    });
    await expect(download(['a.csv'])).rejects.toThrow(
      'The file "a.csv" is not compressed with gzip. Set "compress" to false to download it as it is.',
    );
  });
});

/** Stores what is put, with the metadata headers; the first write fails as a busy service does. */
async function playCloud(metaPrefix: string) {
  const objects = new Map<string, { bytes: Buffer; headers: Record<string, string> }>();
  const blocks = new Map<string, Buffer>();
  let isBusy = true;
  const { host, received } = await playDatabase(({ method, url, headers, bytes, body }, response) => {
    if (isBusy) {
      isBusy = false;
      response.writeHead(503).end('<Error><Code>ServerBusy</Code></Error>');
      return;
    }
    const path = `${headers.host}${url.pathname}`;
    if (method === 'GET') {
      const found = objects.get(path);
      if (found) response.writeHead(200, found.headers).end(found.bytes);
      else response.writeHead(404).end();
      return;
    }
    if (url.searchParams.get('comp') === 'block') {
      blocks.set(url.searchParams.get('blockid') ?? '', bytes);
    } else {
      const ids = [...body.matchAll(/<Latest>(.*?)<\/Latest>/g)].map(([, id = '']) => id);
      const isList = url.searchParams.get('comp') === 'blocklist';
      const metadata = Object.entries(headers).filter(([name]) => name.startsWith(metaPrefix));
      objects.set(path, {
        bytes: isList ? Buffer.concat(ids.map((id) => blocks.get(id) ?? Buffer.alloc(0))) : bytes,
        headers: Object.fromEntries(metadata.map(([name, value]) => [name, String(value)])),
      });
    }
    response.writeHead(201).end();
  });
  return { endpoint: `http://${host}`, objects, received };
}

describe.each([
  {
    cloud: 'Azure',
    prefix: 'x-ms-meta-',
    stageInfo: {
      locationType: 'AZURE',
      location: 'container/stage/',
      storageAccount: 'acme',
      endPoint: 'blob.core.windows.net',
      creds: { AZURE_SAS_TOKEN: '?sig=a-signature' },
    },
    object: 'acme.blob.core.windows.net/container/stage/data.json',
    proof: ({ url }: Received) => url.searchParams.get('sig') === 'a-signature',
  },
  {
    cloud: 'Google Cloud Storage',
    prefix: 'x-goog-meta-',
    stageInfo: {
      locationType: 'GCS',
      location: 'bucket/stage/',
      creds: { GCS_ACCESS_TOKEN: 'a-token' },
    },
    object: 'storage.googleapis.com/bucket/stage/data.json',
    proof: ({ headers }: Received) => headers.authorization === 'Bearer a-token',
  },
])('a stage in $cloud', ({ prefix, stageInfo, object, proof }) => {
  test('a file is encrypted on the way there and decrypted on the way back', async () => {
    const cloud = await playCloud(prefix);
    const { context } = aStageContext(cloud.endpoint);
    const from = await context.files.put('data.json', text);
    const upload = { stageName: '@s', prefix: '', fileName: 'data.json', from, compress: false };
    const put = { stageInfo, encryptionMaterial: material };
    await uploadToStage(context, sessionOf(put), { ...upload, partBytes: 1_000 });
    expect(cloud.received.every(proof)).toBe(true);

    const stored = cloud.objects.get(object);
    const { WrappedContentKey, ContentEncryptionIV } = JSON.parse(
      stored?.headers[`${prefix}encryptiondata`] ?? '{}',
    );
    const plain = decrypt(
      stored?.bytes ?? Buffer.alloc(0),
      WrappedContentKey.EncryptedKey,
      ContentEncryptionIV,
    );
    expect(plain.toString()).toBe(text);

    const get = { stageInfo, src_locations: ['data.json'], encryptionMaterial: [material] };
    const uri = await downloadFromStage(context, sessionOf(get), { ...upload, compress: false });
    expect(await context.files.text(uri)).toBe(text);

    const other = [{ ...material, queryStageMasterKey: randomBytes(16).toString('base64') }];
    await expect(
      downloadFromStage(context, sessionOf({ ...get, encryptionMaterial: other }), upload),
    ).rejects.toThrow('cannot be decrypted with the key that Snowflake sent');
  });
});

test('Google Cloud Storage without a token is used through the URLs that Snowflake signed', async () => {
  const cloud = await playCloud('x-goog-meta-');
  const { context } = aStageContext(cloud.endpoint);
  const presigned = 'https://storage.googleapis.com/bucket/stage/data.json.gz?X-Goog-Signature=abc';
  const from = await context.files.put('data.json', text);
  const stageInfo = { locationType: 'GCS', location: 'bucket/stage/', presignedUrl: presigned };
  const upload = { stageName: '@s', prefix: '', fileName: 'data.json', from, compress: true };
  await uploadToStage(context, sessionOf({ stageInfo }), upload);
  const stored = cloud.objects.get('storage.googleapis.com/bucket/stage/data.json.gz');
  expect(gunzipSync(stored?.bytes ?? gzipSync('')).toString()).toBe(text);
  const get = { stageInfo, src_locations: ['data.json.gz'], presignedUrls: [presigned] };
  expect(await context.files.text(await downloadFromStage(context, sessionOf(get), upload))).toBe(text);
});
