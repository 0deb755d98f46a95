import { TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import { defineGcpTask, taskExample } from '../google/define.ts';
import { dropMissing, mapAt, mapsAt, textAt } from '../google/json.ts';

const optional = () => z.string().optional();

export const clusterMetadata = defineGcpTask({
  type: 'gcp.gke.ClusterMetadata',
  title: 'Read what Google Kubernetes Engine knows about a cluster',
  description: `Returns the address, the certificate and the node pools of a cluster, for example to log in to it with a Kubernetes task. With an
\`auth.OauthAccessToken\` the endpoint and the certificate are all that a client needs.`,
  properties: {
    clusterId: text().describe('The name of the cluster.'),
    clusterZone: text().optional().describe('Its zone or region.'),
    clusterProjectId: text().optional().describe('Its project; `projectId` when absent.'),
  },
  output: () =>
    z.object({
      location: optional().describe('The zone or region.'),
      network: optional().describe('The network.'),
      name: optional().describe('The name.'),
      description: optional().describe('What the cluster is for.'),
      clusterIpv4Cidr: optional().describe('The addresses of its pods.'),
      subNetwork: optional().describe('The subnetwork.'),
      endpoint: optional().describe('The address of its API.'),
      zone: optional().describe('The zone.'),
      project: z.string().describe('The project.'),
      createTime: optional().describe('When it was created.'),
      nodePoolsCount: z.number().describe('How many node pools it has.'),
      nodePools: z
        .array(
          z.object({ name: optional().describe('The name.'), status: optional().describe('The state.') }),
        )
        .describe('Its node pools.'),
      masterAuth: z
        .object({
          clusterCertificate: optional().describe('The certificate of the authority, in Base64.'),
          clientKey: z.unknown().optional().describe('The key of the client, stored encrypted.'),
          clientCertificate: optional().describe('The certificate of the client, in Base64.'),
        })
        .describe('How to log in.'),
      loggingService: optional().describe('Where its logs go.'),
      monitoringService: optional().describe('Where its metrics go.'),
      link: optional().describe('The address in the API.'),
    }),
  examples: [
    taskExample(
      'gcp.gke.ClusterMetadata',
      'Find the address of a cluster.',
      'clusterId: my-cluster\nclusterZone: europe-west1-b',
    ),
  ],
  async run({ google, project }, { clusterId, clusterZone, clusterProjectId }, context) {
    if (!clusterZone) throw new TaskFailed('"clusterZone" must be given.', { retry: false });
    const owner = clusterProjectId ?? (await project());
    const json = await google.get(
      `https://container.googleapis.com/v1/projects/${segment(owner)}/locations/${segment(clusterZone)}/clusters/${segment(clusterId)}`,
    );
    const login = mapAt(json, 'masterAuth');
    const clientKey = textAt(login, 'clientKey');
    const nodePools = mapsAt(json, 'nodePools').map((pool) =>
      dropMissing({ name: textAt(pool, 'name'), status: textAt(pool, 'status') }),
    );
    const texts = (...names: readonly string[]) =>
      Object.fromEntries(
        names.flatMap((name) => (textAt(json, name) === undefined ? [] : [[name, textAt(json, name)]])),
      );
    return {
      ...texts(
        'location',
        'network',
        'name',
        'description',
        'clusterIpv4Cidr',
        'endpoint',
        'zone',
        'createTime',
      ),
      ...texts('loggingService', 'monitoringService'),
      ...dropMissing({ subNetwork: textAt(json, 'subnetwork'), link: textAt(json, 'selfLink') }),
      project: owner,
      nodePoolsCount: nodePools.length,
      nodePools,
      masterAuth: dropMissing({
        clusterCertificate: textAt(login, 'clusterCaCertificate'),
        clientKey: clientKey === undefined ? undefined : context.seal(clientKey),
        clientCertificate: textAt(login, 'clientCertificate'),
      }),
    };
  },
});
