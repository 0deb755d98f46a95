import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningServer, startRealServer } from './realServer.ts';

const run = promisify(execFile);

export interface MariadbServer extends RunningServer {
  /** Runs statements as root. */
  execute(sql: string): Promise<unknown>;
}

/**
 * A MariaDB server with the user `app` (password `s3cret`) and the database `shop`.
 * @param options of the server, as on its command line
 */
export async function startMariadb(options: readonly string[] = []): Promise<MariadbServer> {
  const execute = (folder: string, sql: string) =>
    run('mariadb', ['--no-defaults', `--socket=${join(folder, 'socket')}`, '-u', 'root', '-e', sql]);
  const server = await startRealServer({
    program: 'mariadbd',
    startWithinMs: 180_000,
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
      '--skip-name-resolve',
      ...options,
    ],
    isReady: async ({ folder }) => {
      const statements = [
        "CREATE OR REPLACE USER app@'%' IDENTIFIED BY 's3cret'",
        "GRANT ALL ON *.* TO app@'%'",
        'CREATE DATABASE IF NOT EXISTS shop CHARACTER SET utf8mb4',
      ];
      await execute(folder, statements.join(';'));
    },
  });
  return { ...server, execute: (sql) => execute(server.folder, sql) };
}
