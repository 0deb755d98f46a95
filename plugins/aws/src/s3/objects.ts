import { createHash } from 'node:crypto';
import {
  findElements,
  type OutboundResponse,
  readXml,
  TaskFailed,
  textAt,
  toXml,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { readText } from '../client/awsClient.ts';
import { checksumAlgorithms, checksumHeader, createChecksum } from './checksum.ts';
import { ownerHeaders, type S3Entry } from './listObjects.ts';
import type { S3 } from './s3.ts';
import { abortUpload, completeUpload } from './upload.ts';

export interface Place {
  readonly bucket: string;
  readonly key: string;
}

const ownerOutput = z.object({
  id: z.string().optional().describe('The id of the owner.'),
  displayName: z.string().optional().describe('The name of the owner.'),
});

export const objectOutput = z.object({
  uri: z
    .string()
    .describe('The file in internal storage, or the address of the object when it is only listed.'),
  key: z.string().describe('The key.'),
  etag: z.string().optional().describe('The entity tag, which changes with the content.'),
  size: z.number().describe('The size in bytes.'),
  lastModified: z.string().optional().describe('When the object was written.'),
  owner: ownerOutput.optional().describe('The owner, when the service names it.'),
  checksumAlgorithm: z.string().optional().describe('How its checksum is computed.'),
  checksumValue: z.string().optional().describe('Its checksum.'),
  versionId: z.string().optional().describe('The version, when versions are listed.'),
});
export type ObjectOutput = z.infer<typeof objectOutput>;

export const addressOf = ({ bucket, key }: Place): string => `s3://${bucket}/${key}`;

/** Omits values that the service did not return, because outputs are stored. */
export const toObjectOutput = (entry: S3Entry, uri: string): ObjectOutput => ({
  uri,
  key: entry.key,
  size: entry.size,
  ...(entry.etag !== undefined && { etag: entry.etag }),
  ...(entry.lastModified && { lastModified: entry.lastModified.toISOString() }),
  ...(entry.owner && { owner: entry.owner }),
  ...(entry.checksumAlgorithm !== undefined && { checksumAlgorithm: entry.checksumAlgorithm }),
  ...(entry.versionId !== undefined && { versionId: entry.versionId }),
});

export const fileInfo = {
  uri: z.string().optional().describe('The file in internal storage.'),
  contentLength: z.number().optional().describe('The size in bytes.'),
  contentType: z.string().optional().describe('The media type.'),
  metadata: z.record(z.string(), z.string()).optional().describe('The metadata of the user.'),
  versionId: z.string().optional().describe('The version, in a bucket that keeps versions.'),
  eTag: z.string().optional().describe('The entity tag.'),
  checksumAlgorithm: z.string().optional().describe('How the checksum is computed.'),
  checksumValue: z.string().optional().describe('The checksum that the service keeps.'),
};
const FileInfo = z.object(fileInfo);
export type FileInfo = z.infer<typeof FileInfo>;

interface DownloadInput extends Place {
  readonly versionId?: string | undefined;
  readonly validateChecksum?: boolean | undefined;
  readonly expectedBucketOwner?: string | undefined;
  readonly requestPayer?: string | undefined;
}

/** Streams an object to internal storage. */
export async function downloadObject(s3: S3, input: DownloadInput): Promise<FileInfo & { uri: string }> {
  const { bucket, key } = input;
  const { context } = s3;
  const response = await s3.call({
    action: `GetObject of "${bucket}/${key}"`,
    method: 'GET',
    bucket,
    key,
    query: { versionId: input.versionId },
    headers: {
      ...ownerHeaders(input),
      ...(input.validateChecksum && { 'x-amz-checksum-mode': 'ENABLED' }),
    },
  });
  const checksum = checksumOf(response);
  if (input.validateChecksum && (!checksum || checksum.value.includes('-')))
    await context.log('WARN', `"${key}" has no checksum of its whole content, so none was validated.`);
  const name = key.split('/').at(-1) || 'file';
  const content = input.validateChecksum && checksum ? checked(response, key, checksum) : response.body;
  const uri = await context.files.put(name, content);
  const header = (header: string) => response.headers[header]?.[0];
  const size = Number(header('content-length') ?? (await context.files.sizeOf(uri)) ?? 0);
  const metadata = Object.entries(response.headers).flatMap(([name, [value = '']]) =>
    name.startsWith('x-amz-meta-') ? [[name.slice('x-amz-meta-'.length), value] as const] : [],
  );
  context.metric({ name: 'file.size', type: 'counter', value: size });
  return {
    uri,
    contentLength: size,
    metadata: Object.fromEntries(metadata),
    ...known('contentType', header('content-type')),
    ...known('versionId', header('x-amz-version-id')),
    ...known('eTag', header('etag')?.replaceAll('"', '')),
    ...(checksum && { checksumAlgorithm: checksum.algorithm, checksumValue: checksum.value }),
  };
}

export const known = <K extends string>(name: K, value: string | undefined) =>
  // `as`: a computed name is only a string to TypeScript.
  (value === undefined ? {} : { [name]: value }) as { [_ in K]?: string };

function checksumOf({ headers }: OutboundResponse) {
  for (const algorithm of checksumAlgorithms) {
    const value = headers[checksumHeader(algorithm)]?.[0];
    if (value !== undefined) return { algorithm, value };
  }
  return undefined;
}

/** Fails at the end when the content is not that of the checksum, so that no file is stored. A part's count is no checksum. */
async function* checked(
  response: OutboundResponse,
  key: string,
  { algorithm, value }: NonNullable<ReturnType<typeof checksumOf>>,
): AsyncGenerator<Uint8Array> {
  const checksum = createChecksum(algorithm);
  for await (const chunk of response.body) {
    checksum.update(chunk);
    yield chunk;
  }
  const found = checksum.digest();
  if (!value.includes('-') && found !== value)
    throw new TaskFailed(`The ${algorithm} checksum of "${key}" is ${found}, but ${value} was expected.`);
}

export interface Copy {
  readonly from: Place & { readonly versionId?: string | undefined };
  readonly to: Place;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A single request copies 5 GiB at most. */
const maxCopyBytes = 5 * 1024 ** 3;
const copyPartBytes = 1024 ** 3;

export async function copyObject(s3: S3, copy: Copy) {
  const { from, to, headers } = copy;
  const head = await s3.call({
    action: `HeadObject of "${from.bucket}/${from.key}"`,
    method: 'HEAD',
    bucket: from.bucket,
    key: from.key,
    query: { versionId: from.versionId },
  });
  await readText(head);
  const size = Number(head.headers['content-length']?.[0] ?? 0);
  const version = from.versionId === undefined ? '' : `?versionId=${encodeURIComponent(from.versionId)}`;
  const source = `/${from.bucket}/${from.key.split('/').map(encodeURIComponent).join('/')}${version}`;
  if (size > maxCopyBytes) return copyParts(s3, copy, source, size);
  const response = await s3.call({
    action: `CopyObject from "${from.bucket}/${from.key}" to "${to.bucket}/${to.key}"`,
    method: 'PUT',
    ...to,
    headers: { ...headers, 'x-amz-copy-source': source },
  });
  const xml = await readXml(await readText(response));
  if (xml.name === 'Error')
    throw new TaskFailed(`S3 could not copy "${from.key}": ${textAt(xml, 'Message')}`);
  return {
    eTag: textAt(xml, 'ETag')?.replaceAll('"', ''),
    versionId: response.headers['x-amz-version-id']?.[0],
  };
}

async function copyParts(s3: S3, { to, headers }: Copy, source: string, size: number) {
  const begun = await s3.call({
    action: 'CreateMultipartUpload',
    method: 'POST',
    ...to,
    query: { uploads: '' },
    ...(headers && { headers }),
  });
  const uploadId = textAt(await readXml(await readText(begun)), 'UploadId') ?? '';
  try {
    const parts: string[] = [];
    for (let start = 0; start < size; start += copyPartBytes) {
      const end = Math.min(start + copyPartBytes, size) - 1;
      const number = String(parts.length + 1);
      const response = await s3.call({
        action: 'UploadPartCopy',
        method: 'PUT',
        ...to,
        query: { partNumber: number, uploadId },
        headers: { 'x-amz-copy-source': source, 'x-amz-copy-source-range': `bytes=${start}-${end}` },
      });
      const tag = textAt(await readXml(await readText(response)), 'ETag') ?? '';
      parts.push(`<Part>${toXml('PartNumber', number)}${toXml('ETag', tag)}</Part>`);
    }
    return await completeUpload(s3, to, uploadId, parts);
  } catch (error) {
    await abortUpload(s3, to, uploadId);
    throw error;
  }
}

interface DeleteInput extends Place {
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export async function deleteObject(s3: S3, { bucket, key, headers = {} }: DeleteInput) {
  const action = `DeleteObject of "${bucket}/${key}"`;
  const response = await s3.call({ action, method: 'DELETE', bucket, key, headers });
  await readText(response);
  return response.headers;
}

/** At most a thousand objects in one request. */
export async function deleteObjects(
  s3: S3,
  bucket: string,
  keys: readonly string[],
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<void> {
  const objects = keys.map((key) => `<Object>${toXml('Key', key)}</Object>`).join('');
  const body = `<Delete><Quiet>true</Quiet>${objects}</Delete>`;
  const response = await s3.call({
    action: `DeleteObjects in "${bucket}"`,
    method: 'POST',
    bucket,
    query: { delete: '' },
    headers: {
      ...headers,
      'content-md5': createHash('md5').update(body).digest('base64'),
      'content-type': 'application/xml',
    },
    body,
  });
  // In quiet mode the response lists only objects that could not be deleted, although the request succeeded.
  const failed = findElements(await readXml(await readText(response)), 'Error');
  if (failed.length === 0) return;
  const [first] = failed;
  throw new TaskFailed(
    `${failed.length} objects could not be deleted, such as "${textAt(first, 'Key')}": ${textAt(first, 'Message')}`,
  );
}

export type Action = 'MOVE' | 'DELETE' | 'NONE';

export interface MoveTo {
  readonly bucket?: string | undefined;
  readonly key?: string | undefined;
}

/** Moves or deletes an object that was downloaded. A moved object keeps its name below the new key. */
export async function disposeOf(
  s3: S3,
  place: Place,
  action: Action,
  moveTo: MoveTo | undefined,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<void> {
  if (action === 'NONE') return;
  if (action === 'MOVE') {
    const folder = (moveTo?.key ?? '').replace(/\/+$/, '');
    const name = place.key.split('/').at(-1) ?? '';
    const to = { bucket: moveTo?.bucket ?? place.bucket, key: folder === '' ? name : `${folder}/${name}` };
    if (to.bucket === place.bucket && to.key === place.key) return;
    await copyObject(s3, { from: place, to, headers });
  }
  await deleteObject(s3, place);
}
