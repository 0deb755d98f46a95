import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, type RunningServer, startRealServer } from '@millrace/plugin-kit/testing';

/** A broker of Apache Kafka that is its own controller, with one partition per topic. */
export async function startKafka(classPath: string): Promise<RunningServer> {
  const controller = await freePort();
  const java = (args: readonly string[]) => ['-Xmx512m', '-cp', classPath, ...args];
  return startRealServer({
    program: 'java',
    startWithinMs: 180_000,
    prepare: async ({ folder, host, port }) => {
      const settings = [
        'process.roles=broker,controller',
        'node.id=1',
        `controller.quorum.voters=1@${host}:${controller}`,
        `listeners=PLAINTEXT://${host}:${port},CONTROLLER://${host}:${controller}`,
        `advertised.listeners=PLAINTEXT://${host}:${port}`,
        'controller.listener.names=CONTROLLER',
        `log.dirs=${join(folder, 'logs')}`,
        'offsets.topic.replication.factor=1',
        'offsets.topic.num.partitions=1',
        'transaction.state.log.replication.factor=1',
        'transaction.state.log.min.isr=1',
        'transaction.state.log.num.partitions=1',
        'group.initial.rebalance.delay.ms=0',
        'auto.create.topics.enable=true',
      ];
      const file = join(folder, 'server.properties');
      await writeFile(file, `${settings.join('\n')}\n`);
      const format = ['kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qk', '-c', file];
      await promisify(execFile)('java', java(format));
    },
    args: ({ folder }) => java(['kafka.Kafka', join(folder, 'server.properties')]),
  });
}
