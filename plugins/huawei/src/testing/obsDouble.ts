import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const keys = { accessKeyId: 'AK', secretAccessKey: 'a-secret-key' };

interface Stored {
  readonly content: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const schemes = { OBS: 'x-obs-', AWS: 'x-amz-' };
const signedQuery = ['delete', 'partNumber', 'uploadId', 'uploads', 'versionId'];

/**
 * A double of OBS with buckets in the path. It checks the signatures of OBS and of version 2 as OBS documents them, lists
 * at most two keys a page, and knows only the headers that belong to the signature.
 */
export async function startObs() {
  const buckets = new Map<string, Map<string, Stored>>([
    ['files', new Map()],
    ['archive', new Map()],
  ]);
  const seen: string[] = [];
  const locked = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? '/', 'http://obs');
    const send = (status: number, content: string | Buffer = '', headers: Record<string, string> = {}) =>
      response.writeHead(status, headers).end(content);
    const problem = signatureProblem(request, url, body);
    if (problem)
      return send(403, `<Error><Code>SignatureDoesNotMatch</Code><Message>${problem}</Message></Error>`);
    const prefix = request.headers.authorization?.startsWith('OBS ') ? schemes.OBS : schemes.AWS;
    const [, bucketName = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    seen.push(`${request.method} ${bucketName}/${key}`);
    const bucket = buckets.get(bucketName);
    const missing = () =>
      send(404, '<Error><Code>NoSuchBucket</Code><Message>no such bucket</Message></Error>');
    if (key === '') {
      if (request.method === 'PUT') {
        buckets.set(bucketName, new Map());
        return send(200, '', { made: body.toString('utf8') });
      }
      if (!bucket) return missing();
      if (request.method === 'DELETE') return send(buckets.delete(bucketName) ? 204 : 404);
      if (request.method === 'HEAD') return send(200);
      if (request.method === 'POST') return send(200, deleteKeys(bucket, body.toString('utf8')));
      return send(200, list(bucket, url.searchParams));
    }
    if (!bucket) return missing();
    if (request.method === 'PUT') {
      const source = request.headers[`${prefix}copy-source`];
      if (typeof source === 'string') {
        const [, from = '', ...path] = decodeURIComponent(source).split('/');
        const found = buckets.get(from)?.get(path.join('/'));
        if (found) bucket.set(key, found);
        return send(200, '<CopyObjectResult><ETag>"copy"</ETag></CopyObjectResult>');
      }
      const kept = Object.entries(request.headers).flatMap(([name, value]) =>
        name.startsWith(`${prefix}meta-`) || name === `${prefix}storage-class` || name === 'content-type'
          ? [[name, String(value)]]
          : [],
      );
      bucket.set(key, { content: body, headers: Object.fromEntries(kept) });
      return send(200, '', { etag: `"${etagOf(body)}"`, [`${prefix}version-id`]: 'v1' });
    }
    const found = bucket.get(key);
    if (request.method === 'DELETE') {
      bucket.delete(key);
      return send(204, '', { [`${prefix}delete-marker`]: 'true', [`${prefix}version-id`]: 'v2' });
    }
    if (!found) return send(404, '<Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>');
    const headers = { ...found.headers, 'content-length': String(found.content.length) };
    return send(200, request.method === 'HEAD' ? '' : found.content, headers);
  });

  function deleteKeys(bucket: Map<string, Stored>, xml: string): string {
    const failed = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].flatMap(([, key = '']) => {
      if (locked.has(key))
        return [`<Error><Key>${key}</Key><Code>Denied</Code><Message>locked</Message></Error>`];
      bucket.delete(key);
      return [];
    });
    return `<DeleteResult>${failed.join('')}</DeleteResult>`;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    connection: { endpointOverride: `http://127.0.0.1:${port}`, region: 'eu-west-101', ...keys },
    buckets,
    seen,
    locked,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const etagOf = (content: Buffer) => createHash('md5').update(content).digest('hex');

function list(bucket: Map<string, Stored>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const marker = query.get('marker') ?? '';
  const keys = [...bucket.keys()].sort().filter((key) => key.startsWith(prefix) && key > marker);
  const page = keys.slice(0, Math.min(2, Number(query.get('max-keys'))));
  const isTruncated = keys.length > page.length;
  const entries = page.map((key) => {
    const content = bucket.get(key)?.content ?? Buffer.alloc(0);
    return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>2026-01-31T08:00:00.000Z</LastModified><ETag>"${etagOf(content)}"</ETag><Size>${content.length}</Size><Owner><ID>owner1</ID></Owner></Contents>`;
  });
  const next = isTruncated ? `<NextMarker>${encodeURIComponent(page.at(-1) ?? '')}</NextMarker>` : '';
  return `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`;
}

function signatureProblem(request: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const { headers, method } = request;
  const [, scheme, access, signature] = /^(OBS|AWS) (\w+):(\S+)$/.exec(headers.authorization ?? '') ?? [];
  if ((scheme !== 'OBS' && scheme !== 'AWS') || access !== keys.accessKeyId) return 'unknown key';
  const prefix = schemes[scheme];
  if (headers['content-md5'] && headers['content-md5'] !== createHash('md5').update(body).digest('base64'))
    return 'the content has another checksum';
  const own = Object.keys(headers)
    .filter((name) => name.startsWith(prefix))
    .sort();
  if (!own.includes(`${prefix}date`)) return 'no date';
  const query = [...url.searchParams]
    .filter(([name]) => signedQuery.includes(name))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
    .sort();
  const path = url.pathname.split('/').length === 2 ? `${url.pathname}/` : url.pathname;
  const content = [
    `${method}\n${headers['content-md5'] ?? ''}\n${headers['content-type'] ?? ''}\n\n`,
    ...own.map((name) => `${name}:${headers[name]}\n`),
    `${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
  ].join('');
  const expected = createHmac('sha1', keys.secretAccessKey).update(content).digest('base64');
  return expected === signature ? undefined : 'the signature does not match';
}
