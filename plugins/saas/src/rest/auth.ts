import { constants, createHash, createSign, randomUUID, X509Certificate } from 'node:crypto';
import { type JsonMap, TaskFailed, textOf } from '@millrace/plugin-kit';

/** A token request; it has no credentials in its headers except those set here. */
export interface TokenRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: JsonMap;
  readonly body?: JsonMap;
}

export interface Token {
  readonly value: string;
  /** How long it can be used. */
  readonly expiresInMs?: number | undefined;
}

/** How a service authenticates its caller. */
export interface Auth {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: JsonMap;
  /** Obtains a token, which `withToken` converts to headers; the default is a bearer token. */
  readonly token?: (ask: (request: TokenRequest) => Promise<unknown>) => Promise<Token>;
  readonly withToken?: (token: string) => Readonly<Record<string, string>>;
}

export const bearer = (token: string, scheme = 'Bearer'): Auth => ({
  headers: { authorization: `${scheme} ${token}` },
});

export const basic = (username: string, password: string): Auth => ({
  headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
});

interface Client {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
  /** Where to send the client id and secret: in the form (default) or in the Basic authentication header. */
  readonly sendWith?: 'form' | 'basic';
}

/** OAuth 2.0: the application logs in by itself. */
export const clientCredentials = (client: Client): Auth =>
  grant(client, { grant_type: 'client_credentials' });

/** OAuth 2.0: a refresh token that a user granted before is exchanged for an access token. */
export const refreshToken = (client: Client & { readonly refreshToken: string }): Auth =>
  grant(client, { grant_type: 'refresh_token', refresh_token: client.refreshToken });

/** OAuth 2.0: name and password of a user, for services that still allow it. */
export const passwordGrant = (
  client: Omit<Client, 'clientSecret'> & {
    readonly clientSecret?: string | undefined;
    readonly username: string;
    readonly password: string;
  },
): Auth => grant(client, { grant_type: 'password', username: client.username, password: client.password });

function grant(
  client: Omit<Client, 'clientSecret'> & { clientSecret?: string | undefined },
  form: JsonMap,
): Auth {
  const { tokenUrl, clientId, clientSecret, scope, sendWith = 'form' } = client;
  const request: TokenRequest =
    sendWith === 'basic'
      ? {
          url: tokenUrl,
          headers: { ...basic(clientId, clientSecret ?? '').headers },
          form: { ...form, scope },
        }
      : { url: tokenUrl, form: { ...form, client_id: clientId, client_secret: clientSecret, scope } };
  return { token: async (ask) => readToken(await ask(request)) };
}

/** OAuth 2.0: a PEM certificate with its private key replaces the client secret (RFC 7523). */
export const clientCertificate = (client: Omit<Client, 'clientSecret'> & { readonly pem: string }): Auth => ({
  token: async (ask) =>
    readToken(
      await ask({
        url: client.tokenUrl,
        form: {
          grant_type: 'client_credentials',
          client_id: client.clientId,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: signAssertion(client),
          scope: client.scope,
        },
      }),
    ),
});

function signAssertion({
  tokenUrl,
  clientId,
  pem,
}: {
  tokenUrl: string;
  clientId: string;
  pem: string;
}): string {
  const now = Math.floor(Date.now() / 1000);
  const thumbprint = createHash('sha256').update(certificateIn(pem).raw).digest('base64url');
  return signJwt(
    { alg: 'PS256', 'x5t#S256': thumbprint },
    { aud: tokenUrl, iss: clientId, sub: clientId, jti: randomUUID(), nbf: now, exp: now + 600 },
    pem,
  );
}

function certificateIn(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new TaskFailed('The PEM text must hold a certificate and its private key.', {
      retry: false,
      cause: error,
    });
  }
}

/** Signs a JSON web token. `alg` is RS256, or PS256 with the padding that newer services require. */
export function signJwt(
  header: { alg: 'RS256' | 'PS256' } & JsonMap,
  claims: JsonMap,
  privateKey: string,
): string {
  const encode = (part: JsonMap) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const content = `${encode({ typ: 'JWT', ...header })}.${encode(claims)}`;
  const key =
    header.alg === 'PS256'
      ? { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
      : privateKey;
  try {
    return `${content}.${createSign('RSA-SHA256').update(content).sign(key, 'base64url')}`;
  } catch (error) {
    throw new TaskFailed('The private key cannot be read; expected RSA as PEM.', {
      retry: false,
      cause: error,
    });
  }
}

/** The token in the response of an OAuth 2.0 server. */
export function readToken(response: unknown): Token {
  const { access_token: value, expires_in: seconds } = (response ?? {}) as JsonMap; // read field by field below
  const token = textOf(value);
  if (token === undefined)
    throw new TaskFailed('The login did not return an access token.', { retry: false });
  return { value: token, ...(Number(seconds) > 0 && { expiresInMs: Number(seconds) * 1000 }) };
}
