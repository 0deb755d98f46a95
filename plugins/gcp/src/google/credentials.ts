import { createHash, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { messageOf, type OutboundResponse, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { isMap, type Json, numberAt, textAt } from './json.ts';

/**
 * The identity for calls to Google: a service account key, a user's refresh token, or the machine that the
 * server runs on. A token is cached in memory until shortly before it expires. JWTs are signed with
 * node:crypto, because a client library would add megabytes and open connections that bypass the outbound
 * policy.
 */
export interface Login {
  readonly serviceAccount?: string | undefined;
  readonly impersonatedServiceAccount?: string | undefined;
  readonly scopes: readonly string[];
}

/** The use of the token: API calls, or one address that verifies the caller. */
type Purpose = { readonly scopes: readonly string[] } | { readonly audience: string };

export interface Token {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

type AuthContext = Pick<TaskContext, 'fetch' | 'signal' | 'masker'>;

export const cloudPlatform = 'https://www.googleapis.com/auth/cloud-platform';
const tokenUrl = 'https://oauth2.googleapis.com/token';

const ServiceAccountKey = z.looseObject({
  type: z.literal('service_account'),
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  project_id: z.string().optional(),
  token_uri: z.string().default(tokenUrl),
});
const UserKey = z.looseObject({
  type: z.literal('authorized_user'),
  client_id: z.string(),
  client_secret: z.string(),
  refresh_token: z.string(),
  quota_project_id: z.string().optional(),
});
const Key = z.discriminatedUnion('type', [ServiceAccountKey, UserKey]);
type Credentials = z.infer<typeof Key> | { readonly type: 'metadata'; readonly host: string };

/** The key in the property, else that of the server: its file, or the machine itself. */
export async function findCredentials(
  { masker }: Pick<TaskContext, 'masker'>,
  serviceAccount: string | undefined,
): Promise<Credentials> {
  const written = serviceAccount?.trim();
  const key = written ? readKey(written, '"serviceAccount"') : await defaultCredentials();
  if (key.type === 'service_account') masker.add(key.private_key);
  if (key.type === 'authorized_user') {
    masker.add(key.client_secret);
    masker.add(key.refresh_token);
  }
  return key;
}

function readKey(text: string, where: string): z.infer<typeof Key> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The text may be a key that was cut off, so no part of it is shown.
    throw new TaskFailed(`${where} is not JSON. It must be the whole key file of a service account.`, {
      retry: false,
    });
  }
  const result = Key.safeParse(json);
  if (result.success) return result.data;
  const kind = isMap(json) ? textAt(json, 'type') : undefined;
  throw new TaskFailed(
    `${where} must be a key of type "service_account" or "authorized_user" with all its fields, got type "${kind ?? 'none'}".`,
    { retry: false },
  );
}

/** Application default credentials: the file that the environment names, that of gcloud, or the metadata server. */
async function defaultCredentials(): Promise<Credentials> {
  const named = process.env.GOOGLE_APPLICATION_CREDENTIALS;
  if (named) {
    const text = await readFile(named, 'utf8').catch((error: unknown) => {
      throw new TaskFailed('The file of GOOGLE_APPLICATION_CREDENTIALS cannot be read by the server.', {
        retry: false,
        cause: error,
      });
    });
    return readKey(text, 'The file of GOOGLE_APPLICATION_CREDENTIALS');
  }
  const folder = process.env.CLOUDSDK_CONFIG ?? join(homedir(), '.config', 'gcloud');
  const own = await readFile(join(folder, 'application_default_credentials.json'), 'utf8').catch(
    () => undefined,
  );
  if (own !== undefined) return readKey(own, 'The file of application default credentials');
  return { type: 'metadata', host: process.env.GCE_METADATA_HOST ?? 'metadata.google.internal' };
}

/** The project of the key, or of the machine. */
export async function findProject(
  context: AuthContext,
  credentials: Credentials,
): Promise<string | undefined> {
  if (credentials.type === 'service_account' && credentials.project_id) return credentials.project_id;
  const named = process.env.GOOGLE_CLOUD_PROJECT;
  if (named) return named;
  if (credentials.type === 'authorized_user') return credentials.quota_project_id;
  if (credentials.type !== 'metadata') return undefined;
  return readBody(await askMetadata(context, credentials.host, 'project/project-id'));
}

const kept = new Map<string, Token>();
/** A token must live long enough for the request that it is fetched for. */
const marginMs = 60_000;

export async function fetchToken(
  context: AuthContext,
  login: Login,
  audience?: string,
  { fresh = false }: { readonly fresh?: boolean } = {},
): Promise<Token> {
  const credentials = await findCredentials(context, login.serviceAccount);
  const purpose: Purpose = audience === undefined ? { scopes: login.scopes } : { audience };
  const id = createHash('sha256')
    .update(JSON.stringify([credentials, purpose, login.impersonatedServiceAccount]))
    .digest('base64');
  const before = kept.get(id);
  if (before && !fresh && before.expiresAt - marginMs > Date.now()) {
    context.masker.add(before.value);
    return before;
  }
  const token = login.impersonatedServiceAccount
    ? await impersonate(context, credentials, login.impersonatedServiceAccount, purpose)
    : await ownToken(context, credentials, purpose);
  context.masker.add(token.value);
  for (const [key, { expiresAt }] of kept) if (expiresAt <= Date.now()) kept.delete(key);
  kept.set(id, token);
  return token;
}

function ownToken(context: AuthContext, credentials: Credentials, purpose: Purpose): Promise<Token> {
  switch (credentials.type) {
    case 'service_account':
      return exchange(context, credentials.token_uri, {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: assertionOf(credentials, purpose),
      });
    case 'authorized_user':
      if ('audience' in purpose)
        throw new TaskFailed('A user cannot get an identity token; use a service account.', { retry: false });
      return refreshToken(context, {
        clientId: credentials.client_id,
        clientSecret: credentials.client_secret,
        refreshToken: credentials.refresh_token,
      });
    case 'metadata':
      return machineToken(context, credentials.host, purpose);
  }
}

export interface UserLogin {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}

/** An access token for a user who has allowed an OAuth client to act for them. */
export const refreshToken = (context: AuthContext, user: UserLogin): Promise<Token> =>
  exchange(context, tokenUrl, {
    grant_type: 'refresh_token',
    client_id: user.clientId,
    client_secret: user.clientSecret,
    refresh_token: user.refreshToken,
  });

const base64Url = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString('base64url');

/** The signed claim of a service account, which Google exchanges for a token. */
function assertionOf(key: z.infer<typeof ServiceAccountKey>, purpose: Purpose): string {
  const issuedAt = Math.floor(Date.now() / 1000);
  const header = { alg: 'RS256', typ: 'JWT', ...(key.private_key_id && { kid: key.private_key_id }) };
  const claim = {
    iss: key.client_email,
    sub: key.client_email,
    aud: key.token_uri,
    iat: issuedAt,
    exp: issuedAt + 3600,
    ...('audience' in purpose ? { target_audience: purpose.audience } : { scope: purpose.scopes.join(' ') }),
  };
  const content = `${base64Url(header)}.${base64Url(claim)}`;
  try {
    return `${content}.${sign('RSA-SHA256', Buffer.from(content), key.private_key).toString('base64url')}`;
  } catch (error) {
    throw new TaskFailed('The "private_key" of the service account cannot be read.', {
      retry: false,
      cause: error,
    });
  }
}

async function exchange(
  context: AuthContext,
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<Token> {
  const response = await request(context, {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  return toToken(await readJson(response, 'The token'));
}

const machineFolder = 'instance/service-accounts/default';

async function machineToken(context: AuthContext, host: string, purpose: Purpose): Promise<Token> {
  if ('audience' in purpose) {
    const query = new URLSearchParams({ audience: purpose.audience, format: 'full' });
    const path = `${machineFolder}/identity?${query}`;
    return toToken({ id_token: await readBody(await askMetadata(context, host, path)) });
  }
  const query = new URLSearchParams({ scopes: purpose.scopes.join(',') });
  const response = await askMetadata(context, host, `${machineFolder}/token?${query}`);
  return toToken(await readJson(response, 'The token of this machine'));
}

/** The metadata server responds on machines of Google Cloud only. */
async function askMetadata(context: AuthContext, host: string, path: string): Promise<OutboundResponse> {
  try {
    return await context.fetch({
      url: `http://${host}/computeMetadata/v1/${path}`,
      headers: { 'metadata-flavor': 'Google' },
      connectTimeoutMs: 3000,
      readIdleTimeoutMs: 10_000,
      signal: context.signal,
    });
  } catch (error) {
    context.signal.throwIfAborted();
    throw new TaskFailed(
      `No Google credentials: "serviceAccount" is not set, the server has no application default credentials, and its metadata server cannot be reached: ${messageOf(error)}`,
      { retry: false, cause: error },
    );
  }
}

/** A short-lived token of another service account, which the first one may act for. */
async function impersonate(
  context: AuthContext,
  credentials: Credentials,
  email: string,
  purpose: Purpose,
): Promise<Token> {
  const source = await ownToken(context, credentials, { scopes: [cloudPlatform] });
  context.masker.add(source.value);
  const isIdentity = 'audience' in purpose;
  const response = await request(context, {
    url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${encodeURIComponent(email)}:${isIdentity ? 'generateIdToken' : 'generateAccessToken'}`,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${source.value}` },
    body: JSON.stringify(
      isIdentity
        ? { audience: purpose.audience, includeEmail: true }
        : { scope: purpose.scopes, lifetime: '3600s' },
    ),
  });
  const json = await readJson(response, `A token of "${email}"`);
  const expireTime = textAt(json, 'expireTime');
  return {
    value: textAt(json, 'accessToken') ?? textAt(json, 'token') ?? '',
    expiresAt: expireTime === undefined ? Date.now() + 3_600_000 : Date.parse(expireTime),
  };
}

function toToken(json: Json): Token {
  const value = textAt(json, 'access_token') ?? textAt(json, 'id_token');
  if (value === undefined) throw new TaskFailed('Google returned no token.');
  return { value, expiresAt: Date.now() + (numberAt(json, 'expires_in') ?? 3600) * 1000 };
}

async function request(
  context: AuthContext,
  what: Parameters<TaskContext['fetch']>[0],
): Promise<OutboundResponse> {
  try {
    return await context.fetch({ ...what, signal: context.signal, readIdleTimeoutMs: 60_000 });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof TaskFailed) throw error;
    throw new TaskFailed(`${new URL(what.url).host} could not be reached: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function readJson(response: OutboundResponse, what: string): Promise<Json> {
  const text = await readBody(response);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  if (response.status < 300 && isMap(json)) return json;
  const { error, error_description: description } = isMap(json) ? json : {};
  const nested = isMap(error) ? textAt(error, 'message') : undefined;
  const said = nested ?? description ?? error ?? text.slice(0, 300);
  throw new TaskFailed(
    `${what} was refused (HTTP ${response.status}): ${String(said).trim()}. Check the credentials and their permissions.`,
    { retry: response.status === 429 || response.status >= 500 },
  );
}

async function readBody({ body }: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
