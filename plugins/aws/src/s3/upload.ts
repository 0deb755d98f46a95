import { readXml, TaskFailed, textAt, toXml } from '@millrace/plugin-kit';
import { readText } from '../client/awsClient.ts';
import { type ChecksumAlgorithm, checksumHeader, createChecksum } from './checksum.ts';
import type { S3, S3Call } from './s3.ts';

/** Parts have 5 MiB at least and there are 10,000 at most; from the thousandth on they grow. */
const partBytes = 8 * 1_048_576;

export interface Upload {
  readonly bucket: string;
  readonly key: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Sent with every request too, such as the expected owner. */
  readonly requestHeaders?: Readonly<Record<string, string | undefined>>;
  readonly checksumAlgorithm?: ChecksumAlgorithm | undefined;
}

export interface Uploaded {
  readonly eTag?: string | undefined;
  readonly versionId?: string | undefined;
  readonly sizeBytes: number;
}

/**
 * Uploads content of unknown length with one part of it in memory. A small file is one request; a large one appears
 * when its last part has arrived.
 */
export async function uploadObject(s3: S3, upload: Upload): Promise<Uploaded> {
  const parts = partsOf(upload.content);
  const first = (await parts.next()).value ?? new Uint8Array();
  const second = await parts.next();
  if (!second.done) return uploadParts(s3, upload, first, second.value, parts);
  const response = await s3.call({
    ...target(upload, 'PutObject', 'PUT'),
    headers: { ...upload.requestHeaders, ...checksumOf(upload, first), ...upload.headers },
    body: first,
  });
  await readText(response);
  return {
    eTag: response.headers.etag?.[0]?.replaceAll('"', ''),
    versionId: response.headers['x-amz-version-id']?.[0],
    sizeBytes: first.length,
  };
}

const target = ({ bucket, key }: Upload, action: string, method: string): S3Call => ({
  action: `${action} of "${bucket}/${key}"`,
  method,
  bucket,
  key,
});

function checksumOf({ checksumAlgorithm }: Upload, body: Uint8Array): Record<string, string> {
  if (!checksumAlgorithm) return {};
  const checksum = createChecksum(checksumAlgorithm);
  checksum.update(body);
  return { [checksumHeader(checksumAlgorithm)]: checksum.digest() };
}

async function uploadParts(
  s3: S3,
  upload: Upload,
  first: Uint8Array,
  second: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): Promise<Uploaded> {
  const { requestHeaders } = upload;
  if (Object.keys(upload.headers).some((name) => name.startsWith('x-amz-checksum-')))
    throw new TaskFailed(`"checksum" holds for files of up to 8 MB; "${upload.key}" is sent in parts.`, {
      retry: false,
    });
  const begun = await s3.call({
    ...target(upload, 'CreateMultipartUpload', 'POST'),
    query: { uploads: '' },
    headers: { ...requestHeaders, ...upload.headers, 'x-amz-checksum-algorithm': upload.checksumAlgorithm },
  });
  const uploadId = textAt(await readXml(await readText(begun)), 'UploadId') ?? '';
  let sizeBytes = 0;
  const done: string[] = [];
  const sendPart = async (body: Uint8Array) => {
    const checksum = checksumOf(upload, body);
    const response = await s3.call({
      ...target(upload, 'UploadPart', 'PUT'),
      query: { partNumber: String(done.length + 1), uploadId },
      headers: { ...requestHeaders, ...checksum },
      body,
    });
    await readText(response);
    sizeBytes += body.length;
    const sums = Object.values(checksum).map((sum) => toXml(`Checksum${upload.checksumAlgorithm}`, sum));
    done.push(
      `<Part>${toXml('PartNumber', String(done.length + 1))}${toXml('ETag', response.headers.etag?.[0] ?? '')}${sums.join('')}</Part>`,
    );
  };
  try {
    await sendPart(first);
    await sendPart(second);
    for await (const part of rest) await sendPart(part);
    const completed = await completeUpload(s3, upload, uploadId, done);
    return { ...completed, sizeBytes };
  } catch (error) {
    await abortUpload(s3, upload, uploadId);
    throw error;
  }
}

/** The answer may be a failure although its status is 200, because the service begins it before it is done. */
export async function completeUpload(
  s3: S3,
  place: { readonly bucket: string; readonly key: string },
  uploadId: string,
  parts: readonly string[],
): Promise<{ eTag?: string | undefined; versionId?: string | undefined }> {
  const { bucket, key } = place;
  const response = await s3.call({
    action: `CompleteMultipartUpload of "${bucket}/${key}"`,
    method: 'POST',
    bucket,
    key,
    query: { uploadId },
    headers: { 'content-type': 'application/xml' },
    body: `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
  });
  const xml = await readXml(await readText(response));
  if (xml.name === 'Error')
    throw new Error(`S3 could not join the parts of "${bucket}/${key}": ${textAt(xml, 'Message')}`);
  return {
    eTag: textAt(xml, 'ETag')?.replaceAll('"', ''),
    versionId: response.headers['x-amz-version-id']?.[0],
  };
}

/** Parts that are left behind cost money, and no listing shows them. */
export async function abortUpload(
  s3: S3,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  uploadId: string,
): Promise<void> {
  await s3
    .call({
      action: 'AbortMultipartUpload',
      method: 'DELETE',
      bucket,
      key,
      query: { uploadId },
      accept: [404],
      isCleanup: true,
    })
    .catch(() => {});
}

async function* partsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let count = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < partBytes * (1 + Math.floor(count / 1_000))) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    size = 0;
    count++;
  }
  if (size > 0) yield Buffer.concat(chunks);
}
