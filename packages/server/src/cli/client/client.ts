import { type Endpoint, fillPath, JsonError, type ReplyOf } from '@millrace/contract';
import { CommandFailure } from '../command.ts';
import { type Frame, readFrames } from './readFrames.ts';

export interface CallArguments {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A response with an error status. */
export class Refusal extends CommandFailure {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Calls a server with the endpoints of the contract. */
export class Client {
  readonly url: string;
  /** The header that signs in. */
  readonly authorization: string | undefined;

  constructor(url: string, authorization: string | undefined) {
    this.url = url;
    this.authorization = authorization;
  }

  async call<const E extends Endpoint>(endpoint: E, given: CallArguments = {}): Promise<ReplyOf<E>> {
    const response = await this.send(endpoint, given);
    const text = await response.text();
    // The server speaks the same contract; a stranger that does not would fail where the answer is used.
    return (isJson(response) && text !== '' ? JSON.parse(text) : text) as ReplyOf<E>;
  }

  /** The frames of an event stream, until it ends. */
  async *follow(endpoint: Endpoint, given: CallArguments = {}): AsyncGenerator<Frame, void, undefined> {
    const response = await this.send(endpoint, given);
    if (response.body) yield* readFrames(response.body);
  }

  async send(endpoint: Endpoint, given: CallArguments): Promise<Response> {
    const { params = {}, query = {}, body, headers, signal } = given;
    const root = endpoint.base === undefined || endpoint.base === 'product' ? '/api/v1' : '';
    const address = `${this.url}${root}${fillPath(endpoint.path, params)}${searchOf(query)}`;
    const response = await this.#fetch(address, {
      method: endpoint.method,
      headers: {
        accept: 'application/json, */*',
        ...contentTypeOf(endpoint, body),
        ...(this.authorization === undefined ? {} : { authorization: this.authorization }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: encode(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!response.ok) throw new Refusal(response.status, await describeRefusal(response, this.url));
    return response;
  }

  async #fetch(address: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(address, init);
    } catch (cause) {
      const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
      const code = inner instanceof Error && 'code' in inner ? String(inner.code) : String(inner);
      throw new CommandFailure(
        `The server at ${this.url} cannot be reached (${code}); name another one with --server.`,
        { cause },
      );
    }
  }
}

function searchOf(query: NonNullable<CallArguments['query']>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) search.append(name, String(item));
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function contentTypeOf({ bodyKind }: Endpoint, body: unknown): Record<string, string> {
  if (body === undefined || body instanceof FormData) return {};
  const types = { json: 'application/json', yaml: 'application/x-yaml', text: 'text/plain' } as const;
  return bodyKind in types ? { 'content-type': types[bodyKind as keyof typeof types] } : {};
}

const encode = (body: unknown): string | FormData =>
  typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body);

const isJson = (response: Response): boolean =>
  response.headers.get('content-type')?.includes('json') === true;

async function describeRefusal(response: Response, url: string): Promise<string> {
  const text = await response.text();
  const known = isJson(response) ? JsonError.safeParse(tryParse(text)).data : undefined;
  if (response.status === 401) {
    return `The server at ${url} asks for credentials; give them with --user NAME:PASSWORD or --api-token TOKEN.`;
  }
  return known?.message ?? `The server at ${url} answered ${response.status} ${response.statusText}.`;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
