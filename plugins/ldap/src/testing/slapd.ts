import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningServer, startRealServer } from '@millrace/plugin-kit/testing';

export interface LdapServer extends RunningServer {
  readonly userDn: string;
  readonly password: string;
}

const password = 'correct-password';

/** A real OpenLDAP server for `dc=example,dc=com`, which has no entries yet. */
export async function startSlapd(): Promise<LdapServer> {
  const server = await startRealServer({
    program: '/usr/sbin/slapd',
    args: ({ folder, host, port }) => [
      '-d',
      '0',
      '-f',
      join(folder, 'slapd.conf'),
      '-h',
      `ldap://${host}:${port}/`,
    ],
    prepare: async ({ folder }) => {
      await mkdir(join(folder, 'data'));
      const settings = [
        'include /etc/ldap/schema/core.schema',
        'include /etc/ldap/schema/cosine.schema',
        'include /etc/ldap/schema/inetorgperson.schema',
        'modulepath /usr/lib/ldap',
        'moduleload back_mdb',
        `pidfile ${join(folder, 'pid')}`,
        'database mdb',
        'suffix "dc=example,dc=com"',
        'rootdn "cn=admin,dc=example,dc=com"',
        `rootpw ${password}`,
        `directory ${join(folder, 'data')}`,
      ];
      await writeFile(join(folder, 'slapd.conf'), `${settings.join('\n')}\n`);
    },
  });
  return { ...server, userDn: 'cn=admin,dc=example,dc=com', password };
}
