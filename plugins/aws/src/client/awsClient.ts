import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  importModule,
  messageOf,
  type OutboundRequest,
  type OutboundResponse,
  readXml,
  type TaskContext,
  TaskFailed,
  type XmlElement,
} from '@millrace/plugin-kit';
import type { AwsV4Signer } from 'aws4fetch';
import type { z } from 'zod';
import { type AwsFailure, readFailure } from './failure.ts';
import type { Service } from './services.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** In milliseconds; such credentials are read again before. */
  readonly expiresAt?: number | undefined;
}

export interface AwsRequest {
  readonly method: string;
  /** Already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
  /** Statuses besides 2xx that the caller handles. */
  readonly accept?: readonly number[];
  /** For messages: the operation. */
  readonly action: string;
  /** Sent once: a second try could do the work twice. */
  readonly once?: boolean;
  /** Also sent shortly after the task was killed: the call removes resources that would remain. */
  readonly isCleanup?: boolean;
  /** How long the service may think; five minutes when absent. */
  readonly readIdleTimeoutMs?: number;
}

/** Options of the connection that S3-compatible services need. */
export type Transport = Pick<OutboundRequest, 'trustAllCertificates' | 'certificates'>;

/** A request before it is signed; the path and the query are encoded. */
export interface Unsigned {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** How a service that speaks like S3 signs requests and names headers, when it differs from AWS. */
export interface Dialect {
  sign(request: Unsigned, credentials: Credentials): Readonly<Record<string, string>>;
  readHeaders(headers: OutboundResponse['headers']): OutboundResponse['headers'];
}

interface Options {
  readonly context: TaskContext;
  readonly service: Service;
  readonly region: string;
  readonly endpoint: string;
  readonly credentials: () => Promise<Credentials>;
  readonly transport?: Transport;
  readonly dialect?: Dialect | undefined;
}

const maxTries = 4;
/** A killed task must end soon. */
const cleanupMs = 1_500;
const maxBytes = 256 * 1_048_576;

/** Signed calls of one service. Every request goes through the outbound policy, and ends with the task. */
export class AwsClient {
  readonly context: TaskContext;
  readonly region: string;
  readonly endpoint: string;
  readonly #service: Service;
  readonly #credentials: () => Promise<Credentials>;
  readonly #transport: Transport;
  readonly #dialect: Dialect | undefined;

  constructor({ context, service, region, endpoint, credentials, transport = {}, dialect }: Options) {
    this.context = context;
    this.region = region;
    this.endpoint = endpoint.replace(/\/+$/, '');
    this.#service = service;
    this.#credentials = credentials;
    this.#transport = transport;
    this.#dialect = dialect;
  }

  /** The same service elsewhere: another region or host. */
  at(region: string, endpoint: string): AwsClient {
    const { context } = this;
    const [service, credentials, transport] = [this.#service, this.#credentials, this.#transport];
    const dialect = this.#dialect;
    return new AwsClient({ context, service, region, endpoint, credentials, transport, dialect });
  }

  credentials(): Promise<Credentials> {
    return this.#credentials();
  }

  /** A call of a JSON service, by the name of its action. */
  async json<S extends z.ZodType>(
    action: string,
    input: object,
    output: S,
    options: Pick<AwsRequest, 'isCleanup' | 'once'> = {},
  ): Promise<z.infer<S>> {
    const { json } = this.#service;
    if (!json) throw new Error(`${this.#service.title} has no JSON protocol.`);
    const response = await this.send({
      ...options,
      action,
      method: 'POST',
      path: '/',
      headers: {
        'content-type': `application/x-amz-json-${json.version}`,
        'x-amz-target': `${json.target}.${action}`,
      },
      body: JSON.stringify(input),
    });
    return output.parse(await readJson(response));
  }

  /** Calls a REST service whose request and response are JSON. */
  async rest<S extends z.ZodType>(request: Omit<AwsRequest, 'body'>, input: object | undefined, output: S) {
    const response = await this.send({
      ...request,
      ...(input && {
        headers: { 'content-type': 'application/json', ...request.headers },
        body: JSON.stringify(input),
      }),
    });
    // `as`: the schema returns its inferred type.
    return output.parse(await readJson(response)) as z.infer<S>;
  }

  /** Calls a service that takes a form and responds with XML; returns the result element. */
  async query(action: string, input: Readonly<Record<string, string | undefined>>): Promise<XmlElement> {
    const form = new URLSearchParams({ Action: action, Version: this.#service.queryVersion ?? '' });
    for (const [name, value] of Object.entries(input)) if (value !== undefined) form.set(name, value);
    const response = await this.send({
      action,
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: form.toString(),
    });
    const xml = await readXml(await readText(response));
    return xml.children.find(({ name }) => name === `${action}Result`) ?? xml;
  }

  /** Sends the request and retries transient failures with backoff. */
  async send(request: AwsRequest): Promise<OutboundResponse> {
    const signal = this.#signalOf(request);
    for (let tries = 1; ; tries++) {
      const isLast = tries >= maxTries;
      const response = await this.#sendOnce(request).catch((error: unknown) => {
        signal.throwIfAborted();
        if (isLast || request.once || error instanceof TaskFailed) throw this.#unreachable(request, error);
      });
      if (response) {
        if (response.status < 300 || request.accept?.includes(response.status)) return response;
        const failure = await readFailure(response);
        // A call that was throttled was not done.
        const maySendAgain = failure.isTransient && (!request.once || failure.status === 429);
        if (isLast || !maySendAgain) throw this.#refused(request, failure);
      }
      await delay(Math.random() * 100 * 2 ** tries, undefined, { signal });
    }
  }

  #signalOf({ isCleanup }: AwsRequest): AbortSignal {
    return isCleanup ? AbortSignal.timeout(cleanupMs) : this.context.signal;
  }

  async #sendOnce(request: AwsRequest): Promise<OutboundResponse> {
    const { method, path, query = {}, body } = request;
    const search = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${encodePart(name)}=${encodePart(value)}`],
    );
    const url = `${this.endpoint}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
    const headers = await this.#sign(method, url, request);
    const signal = this.#signalOf(request);
    const response = await this.context.fetch({
      url,
      method,
      headers,
      signal,
      followRedirects: false,
      decompress: false,
      ...this.#transport,
      ...(request.readIdleTimeoutMs !== undefined && { readIdleTimeoutMs: request.readIdleTimeoutMs }),
      ...(body === undefined ? {} : { body }),
    });
    if (!this.#dialect) return response;
    return { ...response, headers: this.#dialect.readHeaders(response.headers) };
  }

  async #sign(method: string, url: string, { headers = {}, body = '' }: AwsRequest) {
    const given = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    if (this.#dialect) {
      const unsigned = { method, url, headers: Object.fromEntries(given), body };
      const signed = this.#dialect.sign(unsigned, await this.#credentials());
      return { ...signed, 'content-length': String(Buffer.byteLength(body)) };
    }
    const { AwsV4Signer: Signer } = await importModule<{ AwsV4Signer: typeof AwsV4Signer }>('aws4fetch');
    const { accessKeyId, secretAccessKey, sessionToken } = await this.#credentials();
    const signer = new Signer({
      method,
      url,
      headers: {
        ...Object.fromEntries(given),
        'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
      },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken ? { sessionToken } : {}),
      service: this.#service.signingName ?? this.#service.endpoint,
      region: this.region,
    });
    const signed = await signer.sign();
    return {
      ...Object.fromEntries(signed.headers),
      // Without it Node sends a body of unknown length, which these services reject.
      'content-length': String(Buffer.byteLength(body)),
    };
  }

  #refused({ action }: AwsRequest, failure: AwsFailure): AwsError {
    return new AwsError(`${this.#service.title} refused ${action}: ${failure.message}`, failure);
  }

  #unreachable({ action }: AwsRequest, error: unknown): TaskFailed {
    if (error instanceof TaskFailed) return error;
    return new TaskFailed(
      `${this.#service.title} did not answer ${action} at ${this.endpoint}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** A call that the service rejected, with its error code. */
export class AwsError extends TaskFailed {
  readonly failure: AwsFailure;

  constructor(message: string, failure: AwsFailure) {
    super(message, { retry: failure.isTransient });
    this.failure = failure;
  }
}

export async function readBytes(response: OutboundResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) throw new TaskFailed('The answer is larger than 256 MB.', { retry: false });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const readText = async (response: OutboundResponse): Promise<string> =>
  (await readBytes(response)).toString('utf8');

async function readJson(response: OutboundResponse): Promise<unknown> {
  const text = await readText(response);
  return text.trim() === '' ? {} : JSON.parse(text);
}

/** Percent-encodes all but unreserved characters, as the signature requires. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
