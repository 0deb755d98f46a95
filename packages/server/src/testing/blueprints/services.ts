import { ModelServer, mcpReferenceServer } from '@millrace/plugin-ai/testing';
import { startRabbitMq } from '@millrace/plugin-amqp/testing';
import { startS3 } from '@millrace/plugin-aws/testing';
import { startDovecot } from '@millrace/plugin-email/testing';
import { startSamba } from '@millrace/plugin-fs/testing';
import { startKafka } from '@millrace/plugin-kafka/testing';
import { startMariadb, startRealServer, startSshServer } from '@millrace/plugin-kit/testing';
import { startSlapd } from '@millrace/plugin-ldap/testing';
import { createTestDatabase, startPostgres, temporaryFolder } from '@millrace/store/suite';
import { startMailServer } from '../mailServer.ts';
import { type Internet, startInternet } from './internet.ts';

/** Each server is started by the first blueprint that needs it. */
const starts = {
  postgres: async () => {
    const database = await createTestDatabase();
    return { ...database, stop: () => database.drop() };
  },
  mariadb: () => startMariadb(),
  ssh: startSshServer,
  samba: startSamba,
  ldap: startSlapd,
  rabbit: startRabbitMq,
  s3: startS3,
  dovecot: startDovecot,
  smtp: startMailServer,
  kafka: () => startKafka(process.env.MILLRACE_TEST_KAFKA ?? ''),
  /** A PostgreSQL whose changes can be captured. */
  captured: () => startPostgres({ more: ['wal_level=logical'] }),
  model: async () => {
    const model = await new ModelServer().start();
    return { model, stop: () => model.stop() };
  },
  mcp: () => {
    const env: Record<string, string> = {};
    return startRealServer({
      program: process.execPath,
      args: ({ port }) => {
        env.PORT = String(port);
        return [mcpReferenceServer, 'streamableHttp'];
      },
      env,
    });
  },
  redis: () =>
    startRealServer({
      program: 'redis-server',
      args: ({ port, folder }) => [
        ...['--port', String(port), '--dir', folder, '--save', ''],
        ...['--requirepass', 'value-of-REDIS_PASSWORD'],
      ],
    }),
  nats: () =>
    startRealServer({
      program: 'nats-server',
      args: ({ host, port, folder }) => ['-a', host, '-p', String(port), '-js', '-sd', folder],
    }),
  mqtt: () => startRealServer({ program: '/usr/sbin/mosquitto', args: ({ port }) => ['-p', String(port)] }),
};

type Starts = typeof starts;

/** The servers that blueprints talk to. */
export type Services = { readonly [Name in keyof Starts]: () => ReturnType<Starts[Name]> } & {
  readonly internet: Internet;
  /** A new folder, removed at the end. */
  folder(): string;
  stop(): Promise<void>;
};

export async function openServices(): Promise<Services> {
  const internet = await startInternet();
  const folders: (() => void)[] = [];
  const running = new Map<string, Promise<{ stop(): unknown }>>();
  const lazily = Object.fromEntries(
    Object.entries(starts).map(([name, start]) => [
      name,
      () => {
        const started = running.get(name) ?? start();
        running.set(name, started);
        return started;
      },
    ]),
  ) as { readonly [Name in keyof Starts]: () => ReturnType<Starts[Name]> }; // fromEntries forgets the names
  return {
    ...lazily,
    internet,
    folder: () => {
      const { path, remove } = temporaryFolder();
      folders.push(remove);
      return path;
    },
    stop: async () => {
      const started = await Promise.allSettled(running.values());
      await Promise.all(
        started.map(async (one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)),
      );
      await internet.stop();
      for (const remove of folders) remove();
    },
  };
}
