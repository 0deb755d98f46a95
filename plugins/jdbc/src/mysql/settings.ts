import { TaskFailed } from '@millrace/plugin-kit';
import { afterScheme, type HostAndPort, parseNetworkUrl } from '../base/jdbcUrl.ts';
import type { ConnectionInput } from '../base/session.ts';
import { checkZone } from '../base/timeZone.ts';

export type TlsChoice = 'off' | 'preferred' | 'required' | 'verifyCa' | 'verifyIdentity';

export interface MysqlSettings {
  readonly hosts: readonly HostAndPort[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls: TlsChoice;
  /** The time zone of the server, when the URL names it. */
  readonly serverZone: string | undefined;
  readonly connectTimeoutMs: number;
  /** The URL allows several statements in one text. */
  readonly allowsScripts: boolean;
}

export interface MysqlFlavor {
  readonly title: string;
  readonly schemes: readonly string[];
}

export function readSettings(input: ConnectionInput, { title, schemes }: MysqlFlavor): MysqlSettings {
  const rest = afterScheme(input.url, schemes, title).replace(/^(replication|loadbalance|sequential):/, '');
  const { hosts, path, options } = parseNetworkUrl(rest, 3306);
  const zone = options.get('servertimezone') ?? options.get('connectiontimezone') ?? options.get('timezone');
  const timeoutMs = Number(options.get('connecttimeout') ?? 0);
  return {
    hosts,
    user: input.username ?? options.get('user') ?? 'root',
    password: input.password ?? options.get('password') ?? '',
    database: path,
    tls: readTls(options),
    serverZone:
      zone === undefined || /^(LOCAL|SERVER|auto|disable)$/i.test(zone) ? undefined : checkZone(zone),
    connectTimeoutMs: timeoutMs > 0 ? timeoutMs : 30_000,
    allowsScripts: options.get('allowmultiqueries')?.toLowerCase() === 'true',
  };
}

const modes: Readonly<Record<string, TlsChoice>> = {
  disabled: 'off',
  disable: 'off',
  preferred: 'preferred',
  required: 'required',
  trust: 'required',
  'verify-ca': 'verifyCa',
  'verify-full': 'verifyIdentity',
  verify_ca: 'verifyCa',
  verify_identity: 'verifyIdentity',
};

function readTls(options: ReadonlyMap<string, string>): TlsChoice {
  const written = options.get('sslmode');
  if (written !== undefined) {
    const choice = modes[written.toLowerCase()];
    if (choice) return choice;
    throw new TaskFailed(
      `"sslMode" in the URL must be one of ${Object.keys(modes).join(', ')}, got "${written}".`,
      { retry: false },
    );
  }
  const useSsl = options.get('usessl');
  if (useSsl === 'false') return 'off';
  if (options.get('verifyservercertificate') === 'true') return 'verifyCa';
  return useSsl === 'true' || options.get('requiressl') === 'true' ? 'required' : 'preferred';
}
