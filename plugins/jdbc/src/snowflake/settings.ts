import { createHash, createPrivateKey, createPublicKey, createSign, type KeyObject } from 'node:crypto';
import { TaskFailed } from '@millrace/plugin-kit';
import { afterScheme, parseNetworkUrl } from '../base/jdbcUrl.ts';
import type { ConnectionInput } from '../base/session.ts';
import { checkZone, serverZone } from '../base/timeZone.ts';

export interface SnowflakeSettings {
  readonly base: string;
  readonly account: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly privateKey: KeyObject | undefined;
  readonly database: string | undefined;
  readonly schema: string | undefined;
  readonly warehouse: string | undefined;
  readonly role: string | undefined;
  readonly queryTag: string | undefined;
  readonly zone: string;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Merges the settings of the URL and the properties; properties win. */
export function readSettings(input: ConnectionInput): SnowflakeSettings {
  const { hosts, options } = parseNetworkUrl(afterScheme(input.url, ['jdbc:snowflake:'], 'Snowflake'), 0);
  const [{ host, port }] = hosts;
  const isPlain = options.get('ssl') === 'off';
  const key = textOf(input.privateKey);
  return {
    base: `${isPlain ? 'http' : 'https'}://${host}:${port || (isPlain ? 80 : 443)}`,
    account: options.get('account') ?? host.split('.')[0] ?? host,
    user: input.username ?? options.get('user') ?? '',
    password: input.password ?? options.get('password'),
    privateKey: key === undefined ? undefined : readPrivateKey(key, textOf(input.privateKeyPassword)),
    database: textOf(input.database) ?? options.get('db') ?? options.get('database'),
    schema: textOf(input.schema) ?? options.get('schema'),
    warehouse: textOf(input.warehouse) ?? options.get('warehouse'),
    role: textOf(input.role) ?? options.get('role'),
    queryTag: textOf(input.queryTag) ?? options.get('query_tag'),
    zone: input.timeZoneId === undefined ? serverZone() : checkZone(input.timeZoneId),
  };
}

/** A key as PEM, as the Base64 of a PEM, or as the Base64 of PKCS #8 DER. */
export function readPrivateKey(written: string, passphrase: string | undefined): KeyObject {
  const decoded = written.includes('-----BEGIN') ? written : Buffer.from(written, 'base64').toString('utf8');
  const secret = passphrase === undefined ? {} : { passphrase };
  try {
    if (decoded.includes('-----BEGIN')) return createPrivateKey({ key: decoded, ...secret });
    return createPrivateKey({ key: Buffer.from(written, 'base64'), format: 'der', type: 'pkcs8', ...secret });
  } catch (cause) {
    throw new TaskFailed(
      '"privateKey" must be a private key as PEM or as the Base64 of PKCS #8, with its password when it is encrypted.',
      { retry: false, cause },
    );
  }
}

const base64Url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The token by which a key logs in: signed, and good for a minute. */
export function keyToken(account: string, user: string, key: KeyObject, now: Date): string {
  const name = `${account}.${user}`.toUpperCase();
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const fingerprint = createHash('sha256').update(der).digest('base64');
  const issued = Math.floor(now.getTime() / 1000);
  const claims = { iss: `${name}.SHA256:${fingerprint}`, sub: name, iat: issued, exp: issued + 60 };
  const signed = `${base64Url({ alg: 'RS256', typ: 'JWT' })}.${base64Url(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
}
