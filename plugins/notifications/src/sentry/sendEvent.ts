import { randomUUID } from 'node:crypto';
import { type JsonMap, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type { RequestOptions } from '../base/requestOptions.ts';
import { sendRequest } from '../base/sendRequest.ts';

/** The maximum size of a Sentry event. */
const maxEventBytes = 1024 * 1024;

export const newEventId = (): string => randomUUID().replaceAll('-', '');

interface Connection {
  readonly dsn: string;
  readonly endpointType: 'ENVELOPE' | 'STORE';
  readonly options?: RequestOptions;
}

/** Sends an event as an envelope: a header, the header of its only item, and the item, each on its own line. */
export async function sendEvent(context: TaskContext, given: JsonMap, connection: Connection): Promise<void> {
  const { dsn, endpointType, options } = connection;
  context.masker.add(dsn);
  const { base, key, project } = readDsn(dsn);
  const now = new Date().toISOString();
  const event = { event_id: newEventId(), timestamp: now, ...given };
  const text = JSON.stringify(event);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxEventBytes)
    throw new TaskFailed(`Sentry takes events of at most ${maxEventBytes} bytes, got ${bytes}.`, {
      retry: false,
    });
  const sdk = { name: 'millrace', version: '1.0.0' };
  const envelope = [
    JSON.stringify({ event_id: event.event_id, dsn, sdk, sent_at: now }),
    JSON.stringify({
      type: 'event',
      length: bytes,
      content_type: 'application/json',
      filename: 'event.json',
    }),
    text,
  ].join('\n');
  const isEnvelope = endpointType === 'ENVELOPE';
  await sendRequest(context, {
    service: 'Sentry',
    url: `${base}/api/${project}/${isEnvelope ? 'envelope' : 'store'}/`,
    headers: {
      'content-type': isEnvelope ? 'application/x-sentry-envelope' : 'application/json',
      'x-sentry-auth': `Sentry sentry_version=7, sentry_client=${sdk.name}/${sdk.version}, sentry_key=${key}`,
    },
    body: isEnvelope ? `${envelope}\n` : text,
    secrets: [key],
    options,
  });
}

/** `https://<key>[:<secret>]@<host>[/<path>]/<project>`. */
function readDsn(dsn: string): { base: string; key: string; project: string } {
  const url = URL.canParse(dsn) ? new URL(dsn) : undefined;
  const at = url?.pathname.lastIndexOf('/') ?? -1;
  const project = url?.pathname.slice(at + 1) ?? '';
  if (!url || url.username === '' || !/^\d+$/.test(project))
    throw new TaskFailed('"dsn" must look like https://<key>@<host>/<project id>.', { retry: false });
  return {
    base: `${url.origin}${url.pathname.slice(0, at)}`,
    key: decodeURIComponent(url.username),
    project,
  };
}
