import { startAzurite } from '@millrace/plugin-azure/testing';
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
      const { connectionString, createContainer, createTable, stop } = await startAzurite(azurite);
      onTestFinished(stop);
      storage = connectionString;
      for (const container of ['inbox', 'archive']) await createContainer(container);
      await createTable('orders');
      return [
        [`"{{ secret('AZURE_STORAGE') }}"`, `"${storage}"`],
        ['interval: PT30S', 'interval: PT1S'],
      ];
    },
    before: async (running) => {
      const place = `    connectionString: "${storage}"\n`;
      await perform(
        running,
        `  - id: file
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
    check: async (ended, running) => {
      expect(ended.output('store')).toEqual({ count: 1 });
      const { row } = await perform(
        running,
        `  - id: get
    type: azure.storage.table.Get
    connectionString: "${storage}"
    table: orders
    partitionKey: FR
    rowKey: "1"
`,
      );
      expect(row).toMatchObject({ partitionKey: 'FR', properties: { amount: '90' } });
    },
  },
};
