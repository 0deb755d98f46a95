import { afterScheme, type HostAndPort, parseNetworkUrl } from '../base/jdbcUrl.ts';
import { checkZone, serverZone } from '../base/timeZone.ts';
import { readSslMode, type SslChoice, type SslMode } from './secureSocket.ts';

export interface PostgresSettings {
  readonly hosts: readonly HostAndPort[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: SslChoice;
  readonly zone: string;
  readonly applicationName: string;
  readonly searchPath?: string | undefined;
  readonly connectTimeoutMs: number;
}

/** The connection properties of a PostgreSQL type; tasks that copy have fewer. */
export interface PostgresInput {
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly timeZoneId?: string | undefined;
  readonly ssl?: boolean;
  readonly sslMode?: SslMode | undefined;
  readonly sslRootCert?: string | undefined;
  readonly sslCert?: string | undefined;
  readonly sslKey?: string | undefined;
  readonly sslKeyPassword?: string | undefined;
}

export interface Flavor {
  readonly title: string;
  readonly schemes: readonly string[];
  readonly defaultPort: number;
}

export const postgres: Flavor = {
  title: 'PostgreSQL',
  schemes: ['jdbc:postgresql:', 'jdbc:postgres:'],
  defaultPort: 5432,
};

/** Merges the settings of the URL and the properties; properties win. */
export function readSettings(input: PostgresInput, flavor: Flavor = postgres): PostgresSettings {
  const rest = afterScheme(input.url, flavor.schemes, flavor.title);
  const { hosts, path, options } = parseNetworkUrl(rest, flavor.defaultPort);
  const user = input.username ?? options.get('user') ?? 'postgres';
  const timeoutSeconds = Number(options.get('connecttimeout') ?? options.get('logintimeout') ?? 10);
  return {
    hosts,
    user,
    password: input.password ?? options.get('password') ?? '',
    database: path === '' ? user : path,
    ssl: readSsl(input, options),
    zone: input.timeZoneId === undefined ? serverZone() : checkZone(input.timeZoneId),
    applicationName: options.get('applicationname') ?? 'millrace',
    searchPath: options.get('currentschema'),
    connectTimeoutMs: timeoutSeconds > 0 ? timeoutSeconds * 1000 : 10_000,
  };
}

function readSsl(input: PostgresInput, options: ReadonlyMap<string, string>): SslChoice {
  const written = options.get('sslmode');
  const isOn = input.ssl === true || ['true', ''].includes(options.get('ssl') ?? 'false');
  const mode = input.sslMode ?? (written === undefined ? undefined : readSslMode(written));
  return {
    mode: mode ?? (isOn ? 'VERIFY_FULL' : 'PREFER'),
    rootCert: input.sslRootCert,
    cert: input.sslCert,
    key: input.sslKey,
    keyPassword: input.sslKeyPassword,
  };
}
