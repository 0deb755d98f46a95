import { startRealServer } from '@millrace/plugin-kit/testing';
import { type ApiServer, startApiServer } from '@millrace/plugin-kubernetes/testing';
import { expect, onTestFinished } from 'vitest';
import type { Cases } from './case.ts';
import { perform } from './perform.ts';

let cluster: ApiServer;

async function openCluster(): Promise<ApiServer> {
  cluster = await startApiServer();
  onTestFinished(() => cluster.close());
  return cluster;
}

const connection = ({ url, token, certificates }: ApiServer, indent: string) =>
  `connection: ${JSON.stringify({ masterUrl: url, oauthToken: token, caCertData: certificates.ca })}\n${indent}`;

/** The folder in which Azurite is installed; `npm run test:connectors` sets it. */
const azurite = process.env.MILLRACE_AZURITE ?? '';
const account =
  'AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

async function startAzurite(service: 'blob' | 'table'): Promise<string> {
  const server = await startRealServer({
    program: process.execPath,
    args: ({ port, folder }) => [
      `${azurite}/node_modules/azurite/dist/src/${service}/main.js`,
      ...[`--${service}Port`, String(port), `--${service}Host`, '127.0.0.1'],
      ...['--location', folder, '--skipApiVersionCheck', '--silent'],
    ],
  });
  onTestFinished(() => server.stop());
  return `http://127.0.0.1:${server.port}/devstoreaccount1`;
}

let storage = '';

/** Blueprints of Kubernetes and Azure. */
export const clusterCases: Cases = {
  'deploy-to-kubernetes': {
    edits: async () => [
      ['waitUntilReady: PT5M', `${connection(await openCluster(), '    ')}waitUntilReady: PT5M`],
    ],
    resume: {},
    check: () =>
      expect([...cluster.resources.keys()]).toEqual(
        expect.arrayContaining([
          '/apis/apps/v1/namespaces/staging/deployments/shop',
          '/apis/apps/v1/namespaces/production/deployments/shop',
        ]),
      ),
  },
  'script-in-a-kubernetes-pod': {
    edits: async () => [['namespace: jobs', `${connection(await openCluster(), '      ')}namespace: jobs`]],
    check: async (ended) => {
      const files = ended.output('simulate').outputFiles as Record<string, string>;
      expect(Number(await ended.file(files['result.txt']))).toBeCloseTo(3.14, 1);
    },
  },
  'blob-file-arrival': {
    missing: azurite === '' ? 'Azurite is not installed' : undefined,
    edits: async () => {
      const [blob, table] = [await startAzurite('blob'), await startAzurite('table')];
      storage = `${account};BlobEndpoint=${blob};TableEndpoint=${table}`;
      return [
        [`"{{ secret('AZURE_STORAGE') }}"`, `"${storage}"`],
        ['interval: PT30S', 'interval: PT1S'],
      ];
    },
    before: async (running) => {
      const place = `    connectionString: "${storage}"\n`;
      await perform(
        running,
        `  - id: inbox
    type: azure.storage.blob.CreateContainer
${place}    name: inbox
  - id: archive
    type: azure.storage.blob.CreateContainer
${place}    name: archive
  - id: file
    type: core.storage.Write
    extension: .csv
    content: |
      partitionKey,rowKey,amount
      FR,1,90
  - id: upload
    type: azure.storage.blob.Upload
${place}    container: inbox
    name: orders.csv
    from: "{{ outputs.file.uri }}"
`,
      );
    },
    cause: () => {},
    check: (ended) => expect(ended.output('store')).toEqual({ count: 1 }),
  },
};
