import {
  flag,
  integer,
  listOf,
  messageOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type { z } from 'zod';

/** One of the two products, which speak the same protocol. */
export interface Engine {
  readonly name: 'elasticsearch' | 'opensearch';
  readonly title: string;
}

export const connectionProperty = () =>
  part({
    hosts: listOf(text(), { min: 1 }).describe(
      'The addresses of the nodes, such as `https://search.example.com:9200`.',
    ),
    basicAuth: part({
      username: text().optional().describe('The user.'),
      password: text().optional().describe('The password.'),
    })
      .optional()
      .describe('User and password.'),
    headers: listOf(text())
      .default([])
      .describe('Headers of every request, such as `Authorization: ApiKey …`.'),
    pathPrefix: text().optional().describe('Goes before every path.'),
    strictDeprecationMode: flag().default(false).describe('Fail when the server warns of a deprecated call.'),
    trustAllSsl: flag().default(false).describe('Do not check the certificate.'),
    targetServerVersion: integer().optional().describe('Accepted for compatibility.'),
  }).describe('How to reach the cluster.');

export type Connection = z.infer<ReturnType<typeof connectionProperty>>;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Statuses besides 2xx that the caller handles. */
  readonly allow?: readonly number[];
}

export interface Answer {
  readonly status: number;
  /** Parsed when it is JSON, otherwise the text. */
  readonly body: unknown;
}

const maxBytes = 256 * 1024 * 1024;

/** Sends one request; a node that cannot be reached is passed over for the next one. */
export async function call(context: TaskContext, connection: Connection, request: Call): Promise<Answer> {
  if (connection.basicAuth?.password) context.masker.add(connection.basicAuth.password);
  let failure: unknown;
  for (const host of connection.hosts) {
    const url = toUrl(host, connection, request);
    const response = await context
      .fetch({
        url,
        method: request.method,
        headers: headersOf(connection, request),
        trustAllCertificates: connection.trustAllSsl,
        signal: context.signal,
        ...(request.body === undefined ? {} : { body: toBody(request.body) }),
      })
      .catch((error: unknown) => {
        context.signal.throwIfAborted();
        if (error instanceof TaskFailed) throw error;
        failure = error;
        return undefined;
      });
    if (!response) continue;
    const warning = response.headers.warning?.[0];
    const answer = { status: response.status, body: await readBody(response.body) };
    const isFine = answer.status < 300 || request.allow?.includes(answer.status);
    if (!isFine) throw refused(answer, request);
    if (connection.strictDeprecationMode && warning) throw new TaskFailed(`The server warns: ${warning}`);
    return answer;
  }
  throw new TaskFailed(`No node of ${connection.hosts.join(', ')} responds: ${messageOf(failure)}`, {
    cause: failure,
  });
}

function toUrl(host: string, { pathPrefix = '' }: Connection, { path, parameters = {} }: Call): string {
  const base = /^https?:\/\//i.test(host) ? host : `http://${host}`;
  const prefix = pathPrefix.replace(/^\/+|\/+$/g, '');
  const full = [base.replace(/\/+$/, ''), prefix, path.replace(/^\/+/, '')]
    .filter((each) => each !== '')
    .join('/');
  if (!URL.canParse(full)) throw new TaskFailed(`"${host}" is not an address.`, { retry: false });
  const url = new URL(full);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

function headersOf({ headers, basicAuth }: Connection, { body, contentType }: Call): Record<string, string> {
  const own = headers.map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const;
  });
  const login = basicAuth?.username && `${basicAuth.username}:${basicAuth.password ?? ''}`;
  return {
    accept: 'application/json',
    ...(body === undefined
      ? {}
      : {
          'content-type': contentType ?? 'application/json',
          // Without it Node sends no body with GET and DELETE.
          'content-length': String(Buffer.byteLength(toBody(body))),
        }),
    ...(login && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
    ...Object.fromEntries(own),
  };
}

const toBody = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

async function readBody(content: AsyncIterable<Uint8Array>): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxBytes)
      throw new TaskFailed('The response is larger than 256 MB; use Scroll for large results.', {
        retry: false,
      });
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The server's error reason in one line. */
function refused({ status, body }: Answer, { method, path }: Call): TaskFailed {
  const error = isMap(body) ? body.error : undefined;
  const cause =
    isMap(error) && Array.isArray(error.root_cause) && isMap(error.root_cause[0])
      ? error.root_cause[0]
      : error;
  const reason = isMap(cause) ? `${cause.type}: ${cause.reason}` : String(error ?? body).slice(0, 500);
  const canRetry = status === 429 || status >= 500;
  return new TaskFailed(`${method} ${path} failed with status ${status}: ${reason}`, { retry: canRetry });
}

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Encodes a path segment, so that a name cannot change the call. */
export const segment = (name: string): string =>
  encodeURIComponent(name).replaceAll('%2C', ',').replaceAll('%2A', '*');
