import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Surroundings } from '../command.ts';
import { Client } from './client.ts';

/** Runs `work` with a temporary server, which is removed afterwards with its data. */
export async function withOwnServer<T>(
  { env }: Pick<Surroundings, 'env'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const [{ startServer }, { openProductCatalogue }, { loadConfig }, { openProcessLog }] = await Promise.all([
    import('../../startServer.ts'),
    import('../../plugins/productFamilies.ts'),
    import('../../config/load.ts'),
    import('../../processLog.ts'),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'millrace-own-'));
  const { config } = loadConfig({
    env: {},
    flags: { data: folder, server: { port: 0, managementPort: 0 }, log: { level: 'error' } },
  });
  try {
    const server = await startServer({
      config,
      env,
      catalogue: await openProductCatalogue(),
      log: openProcessLog(config.log.level),
      webFolder: '',
    });
    try {
      return await work(new Client(server.url ?? '', undefined));
    } finally {
      await server.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
