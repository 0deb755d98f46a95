import { choice, flag, text } from '@millrace/plugin-kit';
import { afterScheme, parseNetworkUrl } from '../base/jdbcUrl.ts';
import type { ConnectionInput } from '../base/session.ts';
import { checkZone, serverZone } from '../base/timeZone.ts';

export const encryptChoices = ['TRUE', 'FALSE', 'STRICT', 'OPTIONAL'] as const;

export const encryptionProperties = () => ({
  encrypt: choice(encryptChoices)
    .default('FALSE')
    .describe('Whether to encrypt the connection; `FALSE` and `OPTIONAL` encrypt only the login.'),
  trustServerCertificate: flag().default(false).describe('Accept any certificate of the server.'),
  hostNameInCertificate: text().optional().describe('The name that the certificate of the server must have.'),
  trustStore: text().optional().describe('Certificates of authorities to trust, as PEM.'),
  trustStorePassword: text()
    .optional()
    .describe('The password of the trust store. Certificates as PEM need none.'),
});

export interface SqlServerSettings {
  readonly host: string;
  readonly port: number;
  readonly instance: string | undefined;
  readonly user: string;
  readonly password: string;
  /** A token of Microsoft Entra ID, instead of user and password. */
  readonly accessToken?: string;
  readonly domain: string | undefined;
  readonly database: string | undefined;
  readonly encrypt: boolean | 'strict';
  readonly trustsAny: boolean;
  readonly certificateName: string | undefined;
  readonly authorities: string | undefined;
  readonly zone: string;
}

/** Reads `jdbc:sqlserver://host\instance:port;databaseName=…;user=…` and the properties, which win. */
export function readSettings(input: ConnectionInput): SqlServerSettings {
  const rest = afterScheme(input.url, ['jdbc:sqlserver:'], 'SQL Server');
  const [, inUrl] = /^\/\/[^;:\\]*\\([^;:]+)/.exec(rest) ?? [];
  const { hosts, options } = parseNetworkUrl(rest.replace(/\\[^;:]+/, ''), 0);
  const [{ host, port }] = hosts;
  const written = String(options.get('encrypt') ?? input.encrypt ?? 'FALSE').toUpperCase();
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    host: options.get('servername') ?? host,
    port: Number(options.get('portnumber') ?? (port || 1433)),
    instance: inUrl ?? options.get('instancename'),
    user: input.username ?? options.get('user') ?? options.get('username') ?? '',
    password: input.password ?? options.get('password') ?? '',
    domain: options.get('domain'),
    database: options.get('databasename') ?? options.get('database'),
    encrypt: written === 'STRICT' ? 'strict' : written === 'TRUE',
    trustsAny: input.trustServerCertificate === true || options.get('trustservercertificate') === 'true',
    certificateName: textOf(input.hostNameInCertificate) ?? options.get('hostnameincertificate'),
    authorities: textOf(input.trustStore),
    zone: input.timeZoneId === undefined ? serverZone() : checkZone(input.timeZoneId),
  };
}
