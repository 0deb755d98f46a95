import type { S3Client } from './s3Client.ts';
import { textsOf, toXml } from './s3Xml.ts';

/** Services require parts of at least 5 MiB and accept at most 10,000; from the thousandth on, parts grow. */
const partBytes = 8 * 1_048_576;

/**
 * Uploads content of unknown length, with one part in memory at a time. A small file is one request; a large
 * file becomes visible only when its last part is uploaded.
 */
export async function upload(
  client: S3Client,
  key: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const parts = partsOfContent(content);
  const first = (await parts.next()).value ?? new Uint8Array();
  const second = await parts.next();
  if (second.done) {
    await client.call('PUT', key, { body: first });
    return;
  }
  const begun = await client.call('POST', key, { query: { uploads: '' } });
  const [uploadId = ''] = textsOf(await begun.text(), 'UploadId');
  try {
    const tags = [await sendPart(1, first), await sendPart(2, second.value)];
    for await (const part of parts) tags.push(await sendPart(tags.length + 1, part));
    const list = tags.map(
      (tag, index) => `<Part>${toXml('PartNumber', String(index + 1))}${toXml('ETag', tag)}</Part>`,
    );
    await client.call('POST', key, {
      query: { uploadId },
      body: `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`,
    });
  } catch (error) {
    await client.call('DELETE', key, { query: { uploadId }, accept: [404] }).catch(() => {});
    throw error;
  }

  async function sendPart(partNumber: number, body: Uint8Array<ArrayBuffer>): Promise<string> {
    const response = await client.call('PUT', key, {
      query: { partNumber: String(partNumber), uploadId },
      body,
    });
    return response.headers.get('etag') ?? '';
  }
}

async function* partsOfContent(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  let count = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes < partBytes * (1 + Math.floor(count / 1_000))) continue;
    yield joined(chunks, sizeBytes);
    chunks = [];
    sizeBytes = 0;
    count++;
  }
  if (sizeBytes > 0) yield joined(chunks, sizeBytes);
}

function joined(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
