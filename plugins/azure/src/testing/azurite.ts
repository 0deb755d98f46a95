import { aTaskContext, realNetwork, startRealServer } from '@millrace/plugin-kit/testing';
import { Storage } from '../client/storage.ts';

const account = 'devstoreaccount1';
/** Azurite documents this key for everyone. */
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** Starts Azurite for blobs and tables from the folder in which it is installed. */
export async function startAzurite(installed: string) {
  const start = (service: 'blob' | 'table') =>
    startRealServer({
      program: process.execPath,
      args: ({ port, folder }) => [
        `${installed}/node_modules/azurite/dist/src/${service}/main.js`,
        ...[`--${service}Port`, String(port), `--${service}Host`, '127.0.0.1'],
        ...['--location', folder, '--skipApiVersionCheck', '--silent'],
      ],
    });
  const [blob, table] = await Promise.all([start('blob'), start('table')]);
  const endpoint = ({ port }: { readonly port: number }) => `http://127.0.0.1:${port}/${account}`;
  const connectionString = `AccountName=${account};AccountKey=${key};BlobEndpoint=${endpoint(blob)};TableEndpoint=${endpoint(table)}`;
  return {
    connectionString,
    /** Creates a container, for which there is no task. */
    createContainer: async (name: string): Promise<void> => {
      const storage = new Storage(aTaskContext(realNetwork()), { connectionString }, 'blob');
      const url = storage.url(`/${name}`, { restype: 'container' });
      await storage.send({ action: 'creation', method: 'PUT', url });
    },
    /** Creates a table, for which there is no task. */
    createTable: async (name: string): Promise<void> => {
      const storage = new Storage(aTaskContext(realNetwork()), { connectionString }, 'table');
      await storage.send({
        action: 'creation',
        method: 'POST',
        url: storage.url('/Tables'),
        headers: { 'content-type': 'application/json', accept: 'application/json;odata=nometadata' },
        body: JSON.stringify({ TableName: name }),
      });
    },
    stop: async () => {
      await Promise.all([blob.stop(), table.stop()]);
    },
  };
}
