import { createHash, randomUUID } from 'node:crypto';
import { Crc32c } from '../gcs/crc32c.ts';
import type { Json } from '../google/json.ts';
import { type Handler, type Received, type Reply, refusal } from './fakeGoogle.ts';

interface Stored {
  readonly content: Buffer;
  readonly resource: Json;
}

/** Cloud Storage in memory, as far as its JSON API is documented: pages, resumable uploads, rewrites and policies. */
export class FakeStorage {
  readonly objects = new Map<string, Stored>();
  readonly buckets = new Map<string, Json>();
  readonly #uploads = new Map<string, { bucket: string; metadata: Json; parts: Buffer }>();
  #generation = 1000;
  policy: Json = { kind: 'storage#policy', etag: 'v1', bindings: [] };
  /** The number of upload parts that fail halfway from now on. */
  failingParts = 0;
  pageSize = 2;

  put(bucket: string, name: string, content: string | Buffer, metadata: Json = {}): Json {
    const bytes = Buffer.from(content);
    const crc = new Crc32c();
    crc.update(bytes);
    const generation = String(++this.#generation);
    const resource = {
      kind: 'storage#object',
      id: `${bucket}/${name}/${generation}`,
      bucket,
      name,
      generation,
      metageneration: '1',
      size: String(bytes.length),
      md5Hash: createHash('md5').update(bytes).digest('base64'),
      crc32c: crc.digest(),
      timeCreated: '2026-01-31T08:00:00.000Z',
      updated: '2026-01-31T08:00:00.000Z',
      ...metadata,
    };
    this.objects.set(`${bucket}/${name}`, { content: bytes, resource });
    return resource;
  }

  text(bucket: string, name: string): string | undefined {
    return this.objects.get(`${bucket}/${name}`)?.content.toString();
  }

  readonly handle: Handler = (request) => {
    const { host, path, method } = request;
    if (host !== 'storage.googleapis.com') return refusal(404, `no service ${host}`);
    if (path.startsWith('/upload/')) return this.#upload(request);
    const [, , , kind, bucket = '', part, ...rest] = path.split('/').map(decodeURIComponent);
    if (kind !== 'b') return refusal(404, 'Not Found', 'notFound');
    if (part === undefined) return this.#bucket(request, bucket);
    if (part === 'iam') return this.#iam(request);
    const name = rest[0];
    if (name === undefined) return this.#list(request, bucket);
    if (rest[1] === 'rewriteTo')
      return this.#rewrite(request, `${bucket}/${name}`, rest[3] ?? '', rest[5] ?? '');
    if (rest[1] === 'compose') return this.#compose(request, bucket, name);
    const found = this.objects.get(`${bucket}/${name}`);
    if (!found) return refusal(404, `No such object: ${bucket}/${name}`, 'notFound');
    if (method === 'DELETE') {
      this.objects.delete(`${bucket}/${name}`);
      return { status: 204 };
    }
    return request.query.get('alt') === 'media' ? { body: found.content } : { body: found.resource };
  };

  #upload({ method, path, query, json, bytes, headers }: Received): Reply {
    if (method === 'POST') {
      if (query.get('uploadType') !== 'resumable' || !headers['x-upload-content-type'])
        return refusal(400, 'Bad upload', 'badRequest');
      const id = randomUUID();
      const bucket = decodeURIComponent(path.split('/')[5] ?? '');
      this.#uploads.set(id, { bucket, metadata: json, parts: Buffer.alloc(0) });
      return {
        headers: {
          location: `https://storage.googleapis.com/upload/storage/v1/b/${bucket}/o?upload_id=${id}`,
        },
      };
    }
    const upload = this.#uploads.get(query.get('upload_id') ?? '');
    if (!upload) return refusal(410, 'Gone');
    if (method === 'DELETE') return { status: 499 };
    const [, from, , total] =
      /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(String(headers['content-range'])) ?? [];
    if (total === undefined || (from !== undefined && Number(from) !== upload.parts.length))
      return refusal(400, `Bad range ${headers['content-range']}`, 'badRequest');
    const isLost = from !== undefined && this.failingParts-- > 0;
    // A lost part leaves a whole number of 256 KiB behind.
    const kept = isLost ? Math.floor(bytes.length / 2 / 262_144) * 262_144 : bytes.length;
    upload.parts = Buffer.concat([upload.parts, bytes.subarray(0, kept)]);
    if (isLost) return refusal(503, 'Backend Error', 'backendError');
    if (total === '*' && bytes.length % 262_144 !== 0)
      return refusal(400, 'Parts must be multiples of 256 KiB');
    if (total !== '*' && upload.parts.length === Number(total)) {
      const { name, ...metadata } = upload.metadata;
      return { body: this.put(upload.bucket, String(name), upload.parts, metadata) };
    }
    const last = upload.parts.length - 1;
    return { status: 308, headers: last < 0 ? {} : { range: `bytes=0-${last}` } };
  }

  #list({ query }: Received, bucket: string): Reply {
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter');
    const prefixes = new Set<string>();
    const items: Json[] = [];
    for (const { resource } of [...this.objects.values()].sort((a, b) =>
      String(a.resource.name) < String(b.resource.name) ? -1 : 1,
    )) {
      const name = String(resource.name);
      if (resource.bucket !== bucket || !name.startsWith(prefix)) continue;
      const at = delimiter ? name.indexOf(delimiter, prefix.length) : -1;
      if (at >= 0) prefixes.add(name.slice(0, at + 1));
      else items.push(resource);
    }
    const start = Number(query.get('pageToken') ?? 0);
    const end = start + this.pageSize;
    return {
      body: {
        items: items.slice(start, end),
        ...(start === 0 && { prefixes: [...prefixes] }),
        ...(end < items.length && { nextPageToken: String(end) }),
      },
    };
  }

  /** The first call of a copy only starts it, as for large objects. */
  #rewrite({ query, method }: Received, from: string, bucket: string, name: string): Reply {
    const source = this.objects.get(from);
    if (!source || method !== 'POST') return refusal(404, `No such object: ${from}`, 'notFound');
    if (query.get('rewriteToken') !== 'half') return { body: { done: false, rewriteToken: 'half' } };
    return { body: { done: true, resource: this.put(bucket, name, source.content) } };
  }

  #compose({ json }: Received, bucket: string, name: string): Reply {
    // `as`: the request of the task under test.
    const sources = json.sourceObjects as { name: string }[];
    if (sources.length > 32) return refusal(400, 'The number of source components is too large', 'invalid');
    const parts = sources.map((source) => this.objects.get(`${bucket}/${source.name}`)?.content);
    if (parts.some((part) => part === undefined)) return refusal(404, 'No such object', 'notFound');
    return { body: this.put(bucket, name, Buffer.concat(parts.flatMap((part) => part ?? []))) };
  }

  #bucket({ method, query, json }: Received, name: string): Reply {
    if (method === 'POST') {
      if (query.get('project') !== 'my-project')
        return refusal(400, 'Required parameter: project', 'required');
      if (this.buckets.has(String(json.name)))
        return refusal(
          409,
          'Your previous request to create the named bucket succeeded and you already own it.',
          'conflict',
        );
      this.buckets.set(String(json.name), json);
      return { body: json };
    }
    const bucket = this.buckets.get(name);
    if (!bucket) return refusal(404, 'The specified bucket does not exist.', 'notFound');
    if (method === 'DELETE') {
      if ([...this.objects.keys()].some((key) => key.startsWith(`${name}/`)))
        return refusal(409, 'The bucket you tried to delete is not empty.', 'conflict');
      this.buckets.delete(name);
      return { status: 204 };
    }
    if (method === 'PATCH') this.buckets.set(name, { ...bucket, ...json });
    return { body: this.buckets.get(name) };
  }

  #iam({ method, json }: Received): Reply {
    if (method === 'PUT') {
      if (json.etag !== this.policy.etag) return refusal(412, 'Precondition Failed', 'conditionNotMet');
      this.policy = { ...json, etag: `${json.etag}+` };
    }
    return { body: this.policy };
  }
}
