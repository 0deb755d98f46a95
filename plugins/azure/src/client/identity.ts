/**
 * Microsoft Entra ID tokens, as in the Azure SDKs: service principal, certificate, or the server's identity.
 */

import { createHash, createPrivateKey, createSign, randomUUID, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { messageOf, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const identityProperties = {
  tenantId: text().optional().describe('The tenant. Without it the credentials of the server are used.'),
  clientId: text().optional().describe('The id of the service principal.'),
  clientSecret: text().optional().describe('Its secret.'),
  pemCertificate: text().optional().describe('Its certificate and key as PEM, instead of a secret.'),
};

const Identity = z.object(identityProperties);
export type Identity = z.infer<typeof Identity>;

export interface Token {
  readonly value: string;
  /** In milliseconds. */
  readonly expiresAt: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A token for a scope such as `https://management.azure.com/.default`. */
export async function getToken(
  context: TaskContext,
  identity: Identity,
  scope: string,
  env: Environment = process.env,
): Promise<Token> {
  const token = await findToken(context, identity, scope, env);
  context.masker.add(token.value);
  return token;
}

async function findToken(
  context: TaskContext,
  identity: Identity,
  scope: string,
  env: Environment,
): Promise<Token> {
  const { tenantId, clientId, clientSecret, pemCertificate } = identity;
  if (tenantId !== undefined && clientId !== undefined && clientSecret !== undefined) {
    context.masker.add(clientSecret);
    return askAuthority(context, env, tenantId, { client_id: clientId, client_secret: clientSecret, scope });
  }
  if (tenantId !== undefined && clientId !== undefined && pemCertificate !== undefined) {
    const url = tokenUrl(env, tenantId);
    const assertion = {
      client_id: clientId,
      ...asAssertion(signAssertion(url, clientId, pemCertificate)),
      scope,
    };
    return askAuthority(context, env, tenantId, assertion);
  }
  return serverToken(context, scope, env);
}

const asAssertion = (client_assertion: string) => ({
  client_assertion,
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
});

const authorityOf = (env: Environment): string =>
  (env.AZURE_AUTHORITY_HOST ?? 'https://login.microsoftonline.com').replace(/\/+$/, '');
const tokenUrl = (env: Environment, tenantId: string): string =>
  `${authorityOf(env)}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;

const Answer = z.looseObject({
  access_token: z.string().optional(),
  expires_in: z.coerce.number().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});

async function askAuthority(
  context: TaskContext,
  env: Environment,
  tenantId: string,
  form: Readonly<Record<string, string>>,
): Promise<Token> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString();
  const response = await context.fetch({
    url: tokenUrl(env, tenantId),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
    signal: context.signal,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return toToken(Buffer.concat(chunks).toString('utf8'), response.status);
}

function toToken(text: string, status: number): Token {
  const answer = Answer.catch({}).parse(readJson(text));
  if (answer.access_token !== undefined)
    return { value: answer.access_token, expiresAt: Date.now() + (answer.expires_in ?? 300) * 1000 };
  const reason = answer.error_description?.split(/\r?\n/)[0] ?? answer.error ?? text.slice(0, 200);
  throw new TaskFailed(`Microsoft Entra ID gave no token (status ${status}): ${reason}`, {
    retry: status === 429 || status >= 500,
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Proves that the key of the certificate is at hand. */
function signAssertion(audience: string, clientId: string, pem: string): string {
  const now = Math.floor(Date.now() / 1000);
  const thumbprint = createHash('sha1').update(new X509Certificate(pem).raw).digest('base64url');
  const head = base64url({ alg: 'RS256', typ: 'JWT', x5t: thumbprint });
  const claims = { aud: audience, iss: clientId, sub: clientId, jti: randomUUID(), nbf: now, exp: now + 600 };
  const content = `${head}.${base64url(claims)}`;
  const signature = createSign('RSA-SHA256').update(content).sign(createPrivateKey(pem), 'base64url');
  return `${content}.${signature}`;
}

/** The environment, a federated token of Kubernetes, or the managed identity of the machine. */
async function serverToken(context: TaskContext, scope: string, env: Environment): Promise<Token> {
  const { AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: secret } = env;
  const file = env.AZURE_FEDERATED_TOKEN_FILE;
  try {
    if (tenantId && clientId && secret)
      return await askAuthority(context, env, tenantId, {
        client_id: clientId,
        client_secret: secret,
        scope,
      });
    if (tenantId && clientId && file) {
      const assertion = asAssertion((await readFile(file, 'utf8')).trim());
      return await askAuthority(context, env, tenantId, { client_id: clientId, ...assertion, scope });
    }
    return await managedIdentity(context, scope, env);
  } catch (error) {
    context.signal.throwIfAborted();
    throw new TaskFailed(
      `No credentials: set "tenantId", "clientId" and "clientSecret", or give the server an identity. ${messageOf(error)}`,
      { retry: false, cause: error },
    );
  }
}

/** Only the administrator configures the server's identity, so the outbound policy does not apply. */
async function managedIdentity({ signal }: TaskContext, scope: string, env: Environment): Promise<Token> {
  const query = new URLSearchParams({ resource: scope.replace(/\/\.default$/, '') });
  if (env.AZURE_CLIENT_ID) query.set('client_id', env.AZURE_CLIENT_ID);
  if (env.IDENTITY_ENDPOINT && env.IDENTITY_HEADER) {
    query.set('api-version', '2019-08-01');
    const headers = { 'x-identity-header': env.IDENTITY_HEADER };
    return toToken(await ask(`${env.IDENTITY_ENDPOINT}?${query}`, headers, signal), 200);
  }
  query.set('api-version', '2018-02-01');
  const base = env.AZURE_POD_IDENTITY_AUTHORITY_HOST ?? 'http://169.254.169.254';
  return toToken(
    await ask(`${base}/metadata/identity/oauth2/token?${query}`, { metadata: 'true' }, signal),
    200,
  );
}

function ask(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, timeout: 2_000, signal }, async (response) => {
      try {
        const chunks: Uint8Array[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${new URL(url).origin} responded with status ${response.statusCode}.`));
      } catch (error) {
        reject(error);
      }
    });
    sent.on('timeout', () => sent.destroy(new Error('This machine has no managed identity.')));
    sent.on('error', reject);
    sent.end();
  });
}
