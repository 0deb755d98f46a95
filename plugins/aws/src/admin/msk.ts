import {
  choice,
  type Definition,
  defineTask,
  defineTrigger,
  dropMissing,
  duration,
  fixed,
  integer,
  listOf,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type AwsClient, encodePart } from '../client/awsClient.ts';
import { connectionProperties, taskConnection } from '../client/connection.ts';
import { taskExample, triggerExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const clusterArn = text().describe('The ARN of the cluster.');
const arnLine = 'clusterArn: arn:aws:kafka:eu-west-1:123456789012:cluster/orders/0123-4567';
const clusterOutput = {
  clusterArn: z.string().describe('The ARN of the cluster.'),
  clusterName: z.string().optional().describe('Its name.'),
  state: z.string().optional().describe('Its state, such as `ACTIVE`.'),
};

const Cluster = z.looseObject({
  clusterArn: z.string(),
  clusterName: z.string().optional(),
  state: z.string().optional(),
  currentVersion: z.string().nullish(),
  currentBrokerSoftwareInfo: z.looseObject({ kafkaVersion: z.string().nullish() }).nullish(),
  numberOfBrokerNodes: z.number().nullish(),
  zookeeperConnectString: z.string().nullish(),
  creationTime: z.union([z.string(), z.number()]).nullish(),
});
type Cluster = z.infer<typeof Cluster>;

const toCluster = ({ currentBrokerSoftwareInfo, creationTime, ...cluster }: Cluster) => ({
  clusterArn: cluster.clusterArn,
  ...dropMissing({
    clusterName: cluster.clusterName,
    state: cluster.state,
    currentVersion: cluster.currentVersion,
    kafkaVersion: currentBrokerSoftwareInfo?.kafkaVersion,
    numberOfBrokerNodes: cluster.numberOfBrokerNodes,
    zookeeperConnectString: cluster.zookeeperConnectString,
    creationTime: creationTime === null || creationTime === undefined ? undefined : String(creationTime),
  }),
});

const pathOf = (arn: string) => `/v1/clusters/${encodePart(arn)}`;

async function readCluster(client: AwsClient, arn: string) {
  const { clusterInfo } = await client.rest(
    { action: 'DescribeCluster', method: 'GET', path: pathOf(arn) },
    undefined,
    z.object({ clusterInfo: Cluster }),
  );
  return toCluster(clusterInfo);
}

const create = defineTask({
  type: 'aws.msk.CreateCluster',
  title: 'Create an MSK cluster',
  description: 'Starts the creation of a Kafka cluster. The task does not wait for it.',
  input: () =>
    z.object({
      ...taskConnection,
      clusterName: text().describe('The name of the cluster.'),
      kafkaVersion: text().describe('The version of Kafka.'),
      numberOfBrokerNodes: integer({ min: 1 }).describe('How many brokers there are.'),
      instanceType: text().describe('The type of the machines, such as `kafka.m5.large`.'),
      clientSubnets: listOf(text(), { min: 1 }).describe('The subnets of the brokers.'),
      securityGroups: listOf(text()).describe('The security groups of the brokers.'),
      ebsVolumeSize: integer({ min: 1 }).optional().describe('The disk of a broker in GiB.'),
    }),
  output: () => z.object(clusterOutput),
  sideEffects: true,
  examples: [
    taskExample('aws.msk.CreateCluster', 'Create a cluster.', [
      'clusterName: orders',
      'kafkaVersion: 3.7.x',
      'numberOfBrokerNodes: 2',
      'instanceType: kafka.m5.large',
      'clientSubnets:',
      '  - subnet-1',
      '  - subnet-2',
      'securityGroups:',
      '  - sg-1',
    ]),
  ],
  async run(context, input) {
    const client = await openClient(context, input, 'msk');
    const { ebsVolumeSize: volumeSize } = input;
    const made = await client.rest(
      { action: 'CreateCluster', method: 'POST', path: '/v1/clusters', once: true },
      {
        clusterName: input.clusterName,
        kafkaVersion: input.kafkaVersion,
        numberOfBrokerNodes: input.numberOfBrokerNodes,
        brokerNodeGroupInfo: {
          instanceType: input.instanceType,
          clientSubnets: input.clientSubnets,
          securityGroups: input.securityGroups,
          ...(volumeSize !== undefined && { storageInfo: { ebsStorageInfo: { volumeSize } } }),
        },
      },
      Cluster,
    );
    return toCluster(made);
  },
});

const remove = defineTask({
  type: 'aws.msk.DeleteCluster',
  title: 'Delete an MSK cluster',
  description: 'Starts the deletion of a cluster.',
  input: () => z.object({ ...taskConnection, clusterArn }),
  output: () => z.object({ clusterArn: clusterOutput.clusterArn, state: clusterOutput.state }),
  sideEffects: true,
  examples: [taskExample('aws.msk.DeleteCluster', 'Delete a cluster.', [arnLine])],
  async run(context, { clusterArn: arn, ...connection }) {
    const client = await openClient(context, connection, 'msk');
    const request = { action: 'DeleteCluster', method: 'DELETE', path: pathOf(arn) };
    return toCluster(await client.rest(request, undefined, Cluster));
  },
});

const describeCluster = defineTask({
  type: 'aws.msk.DescribeCluster',
  title: 'Get facts about an MSK cluster',
  description: 'Returns state, version and size of a cluster.',
  input: () => z.object({ ...taskConnection, clusterArn }),
  output: () =>
    z.object({
      ...clusterOutput,
      currentVersion: z.string().optional().describe('The version of its configuration.'),
      kafkaVersion: z.string().optional().describe('The version of Kafka.'),
      numberOfBrokerNodes: z.number().optional().describe('How many brokers there are.'),
      zookeeperConnectString: z.string().optional().describe('The addresses of ZooKeeper.'),
      creationTime: z.string().optional().describe('When it was created.'),
    }),
  sideEffects: true,
  examples: [taskExample('aws.msk.DescribeCluster', 'Look at a cluster.', [arnLine])],
  run: async (context, { clusterArn: arn, ...connection }) =>
    readCluster(await openClient(context, connection, 'msk'), arn),
});

const brokerNames = {
  bootstrapBrokerString: 'Without encryption.',
  bootstrapBrokerStringTls: 'With TLS.',
  bootstrapBrokerStringSaslScram: 'With passwords.',
  bootstrapBrokerStringSaslIam: 'With IAM.',
  bootstrapBrokerStringPublicTls: 'From the internet, with TLS.',
  bootstrapBrokerStringPublicSaslScram: 'From the internet, with passwords.',
  bootstrapBrokerStringPublicSaslIam: 'From the internet, with IAM.',
} as const;

const brokers = defineTask({
  type: 'aws.msk.GetBootstrapBrokers',
  title: 'Get the addresses of an MSK cluster',
  description:
    'Returns the addresses of the brokers by the way of authentication. Those that the cluster does not offer are absent.',
  input: () => z.object({ ...taskConnection, clusterArn }),
  output: () =>
    z.object(
      Object.fromEntries(
        Object.entries(brokerNames).map(([name, words]) => [name, z.string().optional().describe(words)]),
      ),
    ),
  sideEffects: true,
  examples: [taskExample('aws.msk.GetBootstrapBrokers', 'Find the brokers.', [arnLine])],
  async run(context, { clusterArn: arn, ...connection }) {
    const client = await openClient(context, connection, 'msk');
    const request = {
      action: 'GetBootstrapBrokers',
      method: 'GET',
      path: `${pathOf(arn)}/bootstrap-brokers`,
    };
    const found = await client.rest(request, undefined, z.record(z.string(), z.unknown()));
    return Object.fromEntries(
      Object.entries(found).flatMap(([name, value]) =>
        name in brokerNames && typeof value === 'string' && value !== '' ? [[name, value]] : [],
      ),
    );
  },
});

const list = defineTask({
  type: 'aws.msk.ListClusters',
  title: 'List MSK clusters',
  description: 'Returns all clusters of a region.',
  input: () =>
    z.object({
      ...taskConnection,
      clusterNameFilter: text().optional().describe('Only clusters whose name starts with this text.'),
    }),
  output: () =>
    z.object({
      clusters: z.array(z.record(z.string(), z.unknown())).describe('The clusters.'),
      total: z.number().describe('How many there are.'),
    }),
  sideEffects: true,
  examples: [taskExample('aws.msk.ListClusters', 'List clusters.', ['clusterNameFilter: orders'])],
  async run(context, { clusterNameFilter, ...connection }) {
    const client = await openClient(context, connection, 'msk');
    const Page = z.object({ clusterInfoList: z.array(Cluster).default([]), nextToken: z.string().nullish() });
    const clusters: ReturnType<typeof toCluster>[] = [];
    for (let nextToken: string | undefined; ; ) {
      const query = { clusterNameFilter, nextToken };
      const page = await client.rest(
        { action: 'ListClusters', method: 'GET', path: '/v1/clusters', query },
        undefined,
        Page,
      );
      clusters.push(...page.clusterInfoList.map(toCluster));
      nextToken = page.nextToken ?? undefined;
      if (nextToken === undefined) return { clusters, total: clusters.length };
    }
  },
});

const states = [
  'ACTIVE',
  'CREATING',
  'DELETING',
  'FAILED',
  'HEALING',
  'MAINTENANCE',
  'REBOOTING_BROKER',
  'UPDATING',
] as const;

const trigger = defineTrigger({
  type: 'aws.msk.Trigger',
  role: 'polling',
  title: 'Start when an MSK cluster reaches a state',
  description:
    'Looks at a cluster every `interval`, and starts an execution once when it reaches `targetState`.',
  input: () =>
    z.object({
      ...connectionProperties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
      clusterArn,
      targetState: choice(states).describe('The state.'),
    }),
  output: () =>
    z.object({
      clusterArn: clusterOutput.clusterArn,
      clusterState: z.string().describe('The state of the cluster.'),
    }),
  examples: [
    triggerExample(
      'aws.msk.Trigger',
      'When a cluster is ready.',
      [arnLine, 'targetState: ACTIVE'],
      'trigger.clusterState',
    ),
  ],
  async poll(context, { clusterArn: arn, targetState, interval: _, ...connection }) {
    const { state = '' } = await readCluster(await openClient(context, connection, 'msk'), arn);
    const before = context.memory;
    context.remember(state);
    if (state !== targetState || before === targetState) return undefined;
    return { clusterArn: arn, clusterState: state };
  },
});

export const mskTypes: readonly Definition[] = [create, remove, describeCluster, brokers, list, trigger];
