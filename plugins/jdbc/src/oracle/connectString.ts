import { TaskFailed } from '@millrace/plugin-kit';
import { afterScheme } from '../base/jdbcUrl.ts';

export interface OracleAddress {
  readonly connectString: string;
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly user?: string;
  readonly password?: string;
}

/** Reads `jdbc:oracle:thin:[user/password]@` followed by host:port:sid, //host:port/service or a description. */
export function readOracleUrl(url: string): OracleAddress {
  const rest = afterScheme(url, ['jdbc:oracle:'], 'Oracle').replace(/^(thin|oci8?):/i, '');
  const at = rest.indexOf('@');
  if (at < 0)
    throw new TaskFailed('The URL of Oracle must read "jdbc:oracle:thin:@//host:1521/service".', {
      retry: false,
    });
  const [user, password] = rest.slice(0, at).split('/');
  const target = rest.slice(at + 1);
  const login = { ...(user && { user }), ...(password && { password }) };
  if (target.startsWith('(')) {
    const found = [...target.matchAll(/\(HOST\s*=\s*([^)\s]+)\s*\)\s*\(PORT\s*=\s*(\d+)\s*\)/gi)];
    return {
      connectString: target,
      hosts: found.map(([, host = '', port]) => ({ host, port: Number(port) })),
      ...login,
    };
  }
  const sid = /^([^:/]+):(\d+):([\w$#]+)$/.exec(target);
  if (sid) {
    const [, host = '', port = '', name = ''] = sid;
    const address = `(ADDRESS=(PROTOCOL=TCP)(HOST=${host})(PORT=${port}))`;
    return {
      connectString: `(DESCRIPTION=${address}(CONNECT_DATA=(SID=${name})))`,
      hosts: [{ host, port: Number(port) }],
      ...login,
    };
  }
  const [, host, port = '1521'] = /^(?:\w+:)?(?:\/\/)?([^:/?,]+)(?::(\d+))?\//.exec(target) ?? [];
  if (host === undefined)
    throw new TaskFailed(
      'The URL of Oracle must name host, port and service, such as "jdbc:oracle:thin:@//host:1521/service".',
      { retry: false },
    );
  return { connectString: target.replace(/^\/\//, ''), hosts: [{ host, port: Number(port) }], ...login };
}
