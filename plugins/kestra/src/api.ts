import { flag, part, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';

/** The server to call and the credentials. */
export const serverProperties = () => ({
  kestraUrl: text()
    .optional()
    .describe(
      'The address of the server. When absent, `url` in the configuration of the plugin `kestra`, or `http://localhost:8080`.',
    ),
  auth: part({
    apiToken: text().optional().describe('A token.'),
    username: text().optional().describe('The name of the user.'),
    password: text().optional().describe('The password of the user.'),
    auto: flag()
      .default(true)
      .describe(
        'Without a token and a user: take `apiToken`, or `username` and `password`, from the configuration of the plugin `kestra`.',
      ),
  })
    .optional()
    .describe('How to sign in.'),
  tenantId: text().optional().describe('The tenant; that of the flow when absent.'),
});

export interface ServerChoice {
  readonly kestraUrl?: string | undefined;
  readonly auth?:
    | {
        readonly apiToken?: string | undefined;
        readonly username?: string | undefined;
        readonly password?: string | undefined;
        readonly auto: boolean;
      }
    | undefined;
  readonly tenantId?: string | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Query;
  readonly json?: unknown;
  readonly body?: { readonly contentType: string; readonly content: string };
}

/** Calls the API of a server, as its clients do. */
export class Api {
  readonly #context: TaskContext;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(context: TaskContext, choice: ServerChoice) {
    const configured = context.configuration('kestra');
    const url =
      choice.kestraUrl ?? (typeof configured.url === 'string' ? configured.url : 'http://localhost:8080');
    const tenant = encodeURIComponent(choice.tenantId ?? context.run.tenantId);
    this.#context = context;
    this.#base = `${url.replace(/\/+$/, '')}/api/v1/${tenant}`;
    this.#headers = credentials(context, choice, configured);
  }

  async json<T>(path: string, call: Call = {}): Promise<T> {
    const content = await collect((await this.open(path, call)).body);
    if (content === '') return undefined as T; // callers expect no value from calls with an empty response
    try {
      return JSON.parse(content) as T; // the API documents the type of its response
    } catch {
      throw new TaskFailed(`${this.#base}${path} did not answer with JSON; is it the address of a server?`);
    }
  }

  async open(path: string, { method = 'GET', query = {}, json, body }: Call = {}) {
    const response = await this.#context.fetch({
      url: `${this.#base}${path}${queryText(query)}`,
      method,
      headers: {
        ...this.#headers,
        accept: 'application/json, */*',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(body && { 'content-type': body.contentType }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(body && { body: body.content }),
      signal: this.#context.signal,
    });
    if (response.status >= 400) throw await failure(method, path, response.status, response.body);
    return response;
  }

  /** Every item of a list, page after page. */
  async *pages<T>(path: string, query: Query, size = 100): AsyncGenerator<T> {
    for (let page = 1; ; page++) {
      const { results } = await this.json<{ results: readonly T[] }>(path, {
        query: { ...query, page, size },
      });
      yield* results;
      if (results.length < size) return;
    }
  }
}

function credentials(
  context: TaskContext,
  { auth }: ServerChoice,
  configured: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const isGiven = auth?.apiToken !== undefined || auth?.username !== undefined;
  const chosen = isGiven || auth?.auto === false ? auth : configured;
  const { apiToken, username, password } = chosen ?? {};
  for (const secret of [apiToken, password])
    if (typeof secret === 'string' && secret !== '') context.masker.add(secret);
  if (typeof apiToken === 'string') return { authorization: `Bearer ${apiToken}` };
  if (typeof username !== 'string') return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` };
}

function queryText(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) search.append(name, String(one));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function failure(
  method: string,
  path: string,
  status: number,
  body: AsyncIterable<Uint8Array>,
): Promise<TaskFailed> {
  const text = await collect(body);
  let message = text.slice(0, 500);
  try {
    const problem: { message?: unknown; detail?: unknown } = JSON.parse(text);
    message = String(problem.message ?? problem.detail ?? message);
  } catch {
    // The answer is no JSON, so it is shown as it is.
  }
  const advice = status === 401 || status === 403 ? ' Check "auth".' : '';
  return new TaskFailed(`${method} ${path} failed with status ${status}: ${message}${advice}`, {
    retry: status >= 500,
  });
}
