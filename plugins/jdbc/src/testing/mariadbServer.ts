import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningServer, startRealServer } from '@millrace/plugin-kit/testing';

const run = promisify(execFile);

/** A MariaDB server with the user `app` (password `s3cret`) and the database `shop`. */
export async function startMariadb(): Promise<RunningServer> {
  return startRealServer({
    program: 'mariadbd',
    prepare: async ({ folder }) => {
      await run('mariadb-install-db', [
        '--no-defaults',
        `--datadir=${join(folder, 'data')}`,
        '--auth-root-authentication-method=normal',
        '--skip-test-db',
        '--user=root',
      ]);
    },
    args: ({ folder, port, host }) => [
      '--no-defaults',
      '--user=root',
      `--datadir=${join(folder, 'data')}`,
      `--socket=${join(folder, 'socket')}`,
      `--port=${port}`,
      `--bind-address=${host}`,
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=32M',
      '--local-infile=1',
      '--skip-name-resolve',
    ],
    isReady: async ({ folder }) => {
      const statements = [
        "CREATE OR REPLACE USER app@'%' IDENTIFIED BY 's3cret'",
        "GRANT ALL ON *.* TO app@'%'",
        'CREATE DATABASE IF NOT EXISTS shop CHARACTER SET utf8mb4',
      ];
      await run('mariadb', [
        '--no-defaults',
        `--socket=${join(folder, 'socket')}`,
        '-u',
        'root',
        '-e',
        statements.join(';'),
      ]);
    },
  });
}
