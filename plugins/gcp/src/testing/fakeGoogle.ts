import { createVerify, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createOutboundClient,
  readInput,
  type TaskDefinition,
  type TriggerDefinition,
} from '@millrace/plugin-kit';
import { aTaskContext, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { onTestFinished } from 'vitest';
import { isMap, type Json } from '../google/json.ts';

export interface Received {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly text: string;
  readonly json: Json;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type Handler = (request: Received) => Reply | 'silence' | Promise<Reply | 'silence'>;

export interface FakeGoogle {
  readonly received: Received[];
  /** `GET storage.googleapis.com/…` for each request except token requests. */
  readonly calls: () => string[];
  readonly context: TestContext;
  run(task: TaskDefinition, properties?: Json): Promise<Readonly<Record<string, unknown>>>;
  poll(trigger: TriggerDefinition, properties?: Json, context?: TestContext): Promise<Json | undefined>;
  aContext(overrides?: Parameters<typeof aTaskContext>[0]): TestContext;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export const serviceAccount = JSON.stringify({
  type: 'service_account',
  project_id: 'my-project',
  private_key_id: 'key1',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  client_email: 'robot@my-project.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
});

/** An error as Google's older services write it. */
export const refusal = (status: number, message: string, reason?: string): Reply => ({
  status,
  body: { error: { code: status, message, errors: reason ? [{ message, domain: 'global', reason }] : [] } },
});

const secret = 'ya29.test-token';

/** A fake of every Google host. It issues tokens for valid signatures and rejects calls without a token. */
export async function startGoogle(handle: Handler): Promise<FakeGoogle> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const url = new URL(request.url ?? '/', 'http://google');
    const host = String(request.headers['x-test-host']);
    const one: Received = {
      host,
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      bytes,
      text: bytes.toString('utf8'),
      json: parseJson(bytes.toString('utf8')),
    };
    const isToken = host === 'oauth2.googleapis.com';
    if (!isToken) received.push(one);
    const isKnown = request.headers.authorization?.startsWith(`Bearer ${secret}`);
    const answer = isToken
      ? giveToken(one)
      : isKnown
        ? await handle(one)
        : refusal(401, 'Invalid Credentials', 'authError');
    if (answer === 'silence') return;
    const { status = 200, headers = {}, body } = answer;
    response.writeHead(status, headers);
    response.end(
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = createOutboundClient({});
  onTestFinished(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const aContext: FakeGoogle['aContext'] = (overrides = {}) =>
    aTaskContext({
      ...overrides,
      fetch: (request) => {
        const { host, pathname, search } = new URL(request.url);
        const url = `http://127.0.0.1:${port}${pathname}${search}`;
        return client.send({ ...request, url, headers: { ...request.headers, 'x-test-host': host } });
      },
      actions: { hasExecution: async () => true, ...overrides.actions },
    });
  const context = aContext();
  return {
    received,
    calls: () => received.map(({ method, host, path }) => `${method} ${host}${path}`),
    context,
    aContext,
    run: (task, properties = {}) => runType(task, { serviceAccount, ...properties }, context),
    poll: async (trigger, properties = {}, own = context) =>
      trigger.poll?.(own, readInput(trigger.type, trigger.input, { serviceAccount, ...properties })),
  };
}

function parseJson(text: string): Json {
  try {
    const json: unknown = JSON.parse(text);
    return isMap(json) ? json : {};
  } catch {
    return {};
  }
}

/** As the token server: a claim that is well signed, fresh and for the right address. */
function giveToken({ text }: Received): Reply {
  const form = new URLSearchParams(text);
  if (form.get('grant_type') === 'refresh_token')
    return form.get('refresh_token') === 'refresh' && form.get('client_secret') === 'client-secret'
      ? { body: { access_token: `${secret}.user`, expires_in: 3599 } }
      : { status: 400, body: { error: 'invalid_grant', error_description: 'Bad Request' } };
  const [header = '', claim = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const isSigned = createVerify('RSA-SHA256')
    .update(`${header}.${claim}`)
    .verify(publicKey, signature, 'base64url');
  const {
    aud,
    iat,
    exp,
    iss,
    scope,
    target_audience: audience,
  } = JSON.parse(Buffer.from(claim, 'base64url').toString());
  const isFresh = Math.abs(iat - Date.now() / 1000) < 60 && exp - iat <= 3600;
  if (
    !isSigned ||
    !isFresh ||
    aud !== 'https://oauth2.googleapis.com/token' ||
    !String(iss).startsWith('robot@')
  )
    return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } };
  if (audience) return { body: { id_token: `${secret}.for.${audience}` } };
  return { body: { access_token: `${secret}.${String(scope).split('/').at(-1)}`, expires_in: 3599 } };
}
