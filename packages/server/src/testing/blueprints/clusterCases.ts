import { type ApiServer, startApiServer } from '@millrace/plugin-kubernetes/testing';
import { expect, onTestFinished } from 'vitest';
import type { Cases } from './case.ts';

let cluster: ApiServer;

async function openCluster(): Promise<ApiServer> {
  cluster = await startApiServer();
  onTestFinished(() => cluster.close());
  return cluster;
}

const connection = ({ url, token, certificates }: ApiServer, indent: string) =>
  `connection: ${JSON.stringify({ masterUrl: url, oauthToken: token, caCertData: certificates.ca })}\n${indent}`;

/** Blueprints of Kubernetes. */
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
};
