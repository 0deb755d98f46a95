import { TaskFailed } from '@millrace/plugin-kit';
import { type Answer, type Google, GoogleRefused } from './client.ts';
import type { Json } from './json.ts';

interface Upload {
  /** The address of the upload, which differs from that of the API. */
  readonly url: string;
  readonly method?: 'POST' | 'PATCH' | 'PUT';
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly metadata: Json;
  readonly contentType: string;
  readonly content: AsyncIterable<Uint8Array>;
  /** The length of a part, a multiple of 256 KiB. */
  readonly partBytes?: number;
}

const defaultPartBytes = 8 * 1024 * 1024;
const maxResumes = 5;

/**
 * Runs a resumable upload for Cloud Storage, Drive and BigQuery: the content is sent in parts, so that only
 * one part is in memory, and a lost part is sent again from the last byte that Google received. Returns the
 * created resource.
 */
export async function uploadResumable(google: Google, upload: Upload): Promise<Json> {
  const { partBytes = defaultPartBytes } = upload;
  const session = await openSession(google, upload);
  try {
    let offset = 0;
    for await (const { bytes, isLast } of partsOf(upload.content, partBytes)) {
      google.context.signal.throwIfAborted();
      const done = await sendPart(google, session, { bytes, offset, isLast });
      if (done) return done;
      offset += bytes.length;
    }
    throw new TaskFailed('Google did not confirm the end of the upload.');
  } catch (error) {
    // Otherwise Google keeps the parts for a week.
    await google
      .detached()
      .send({ url: session, method: 'DELETE', allow: [400, 404, 410, 499] })
      .catch(() => {});
    throw error;
  }
}

async function openSession(google: Google, upload: Upload): Promise<string> {
  const { url, method = 'POST', query, metadata, contentType } = upload;
  const response = await google.send({
    url,
    method,
    query: { uploadType: 'resumable', ...query },
    body: metadata,
    headers: { 'x-upload-content-type': contentType },
    idempotent: true,
  });
  const session = response.headers.location?.[0];
  for await (const _ of response.body);
  if (session === undefined) throw new TaskFailed('Google opened no upload session.');
  return session;
}

interface Part {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly isLast: boolean;
}

/** Sends a part, the rest of it again when Google has only some of it; returns the resource after the last one. */
async function sendPart(
  google: Google,
  session: string,
  { bytes, offset, isLast }: Part,
): Promise<Json | undefined> {
  let sent = 0;
  for (let resumes = 0; ; resumes++) {
    const rest = bytes.subarray(sent);
    const total = isLast ? String(offset + bytes.length) : '*';
    const answer = await put(google, session, rest, rangeOf(offset + sent, rest.length, total)).catch(
      async (error: unknown) => {
        if (!canResume(error) || resumes >= maxResumes) throw error;
        return put(google, session, new Uint8Array(), `bytes */${total}`);
      },
    );
    if (answer.status !== 308) return answer.body;
    sent = answer.received - offset;
    if (sent >= bytes.length && !isLast) return undefined;
    if (resumes >= maxResumes) throw new TaskFailed('Google did not take a part of the upload.');
  }
}

const canResume = (error: unknown): boolean =>
  error instanceof GoogleRefused
    ? error.status >= 500 || error.status === 429
    : error instanceof TaskFailed && error.retry;

const rangeOf = (from: number, length: number, total: string): string =>
  length === 0 ? `bytes */${total}` : `bytes ${from}-${from + length - 1}/${total}`;

async function put(
  google: Google,
  session: string,
  content: Uint8Array,
  range: string,
): Promise<Answer & { readonly received: number }> {
  const response = await google.send({
    url: session,
    method: 'PUT',
    content,
    headers: { 'content-range': range },
    allow: [308],
    // `sendPart` retries it, after a query of how much has arrived.
    once: content.length > 0,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const last = /(\d+)$/.exec(response.headers.range?.[0] ?? '')?.[1];
  return {
    status: response.status,
    body: response.status === 308 || text === '' ? {} : JSON.parse(text),
    received: last === undefined ? 0 : Number(last) + 1,
  };
}

/** The content cut into parts; the last one may be shorter, and is there even when the content is empty. */
async function* partsOf(
  content: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    pending.push(chunk);
    size += chunk.length;
    // Buffers more than one part, because the last part must be marked as last.
    if (size <= length) continue;
    const joined = Buffer.concat(pending);
    let from = 0;
    for (; size - from > length; from += length)
      yield { bytes: joined.subarray(from, from + length), isLast: false };
    pending = [joined.subarray(from)];
    size -= from;
  }
  yield { bytes: Buffer.concat(pending), isLast: true };
}
