import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, type RunningServer, startRealServer } from '@millrace/plugin-kit/testing';

/** A broker with its own node name, folders and ports, which can run next to other brokers. */
export async function startRabbitMq(): Promise<RunningServer> {
  const distribution = await freePort();
  const epmd = await freePort();
  const node = `millrace${process.pid}@localhost`;
  const program = '/usr/lib/rabbitmq/bin/rabbitmq-server';
  const env: Record<string, string> = {};
  const rabbit = await startRealServer({
    program,
    args: () => [],
    env,
    startWithinMs: 180_000,
    prepare: async ({ folder, port }) => {
      await writeFile(
        join(folder, 'rabbitmq.conf'),
        `listeners.tcp.1 = 127.0.0.1:${port}\nloopback_users = none\nlog.console = true\nlog.file = false\n`,
      );
      await writeFile(join(folder, 'enabled_plugins'), '[rabbitmq_amqp1_0].');
      Object.assign(env, {
        HOME: folder,
        RABBITMQ_NODENAME: node,
        RABBITMQ_DIST_PORT: String(distribution),
        ERL_EPMD_PORT: String(epmd),
        RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
        RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
        RABBITMQ_MNESIA_BASE: join(folder, 'data'),
        RABBITMQ_LOG_BASE: join(folder, 'log'),
        RABBITMQ_PID_FILE: join(folder, 'pid'),
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 2:2 +sbwt none',
      });
    },
  });
  return {
    ...rabbit,
    stop: async () => {
      await rabbit.stop();
      await promisify(execFile)('epmd', ['-port', String(epmd), '-kill']).catch(() => {});
    },
  };
}
