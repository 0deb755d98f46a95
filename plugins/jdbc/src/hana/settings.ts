import { afterScheme, type HostAndPort, parseNetworkUrl } from '../base/jdbcUrl.ts';
import type { ConnectionInput } from '../base/session.ts';

export interface HanaSettings {
  readonly hosts: readonly HostAndPort[];
  readonly user: string;
  readonly password: string;
  /** The tenant database; the first server names the server that has it. */
  readonly database: string | undefined;
  readonly schema: string | undefined;
  readonly tls: 'off' | 'checked' | 'unchecked';
  readonly certificateName: string | undefined;
}

const defaultPort = 30_015;
/** Servers of HANA Cloud accept only TLS. */
const cloudPort = 443;

/** Reads `jdbc:sap://host:port;host:port/?databaseName=…&encrypt=true` and the properties, which win. */
export function readSettings(input: ConnectionInput): HanaSettings {
  const rest = afterScheme(input.url, ['jdbc:sap:'], 'SAP HANA');
  const [, authority = '', others = ''] = /^\/\/([^/?]*)(.*)$/s.exec(rest) ?? [];
  const { hosts, options } = parseNetworkUrl(`//${authority.replaceAll(';', ',')}${others}`, defaultPort);
  const isCloud = hosts[0].port === cloudPort;
  const isEncrypted = options.get('encrypt') === 'true' || (isCloud && options.get('encrypt') !== 'false');
  const tls = options.get('validatecertificate') === 'false' ? 'unchecked' : 'checked';
  return {
    hosts,
    user: input.username ?? options.get('user') ?? '',
    password: input.password ?? options.get('password') ?? '',
    database: options.get('databasename'),
    schema: options.get('currentschema'),
    tls: isEncrypted ? tls : 'off',
    certificateName: options.get('hostnameincertificate'),
  };
}
