import {
  type Definition,
  defineTask,
  dropMissing,
  flag,
  integer,
  listOf,
  mapOf,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { encodePart } from '../client/awsClient.ts';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const fileSystemId = text().describe('The id of the file system.');
const words = (text: string) => z.string().optional().describe(text);
const seconds = z.union([z.number(), z.string()]).nullish();

const fileSystem = z.object({
  fileSystemId: words('The id.'),
  fileSystemArn: words('The ARN.'),
  status: words('The state.'),
  statusMessage: words('What the service says of the state.'),
  bucket: words('The bucket.'),
  prefix: words('The prefix of its objects.'),
  roleArn: words('The role that reads and writes the bucket.'),
  kmsKeyId: words('The key that encrypts it.'),
  name: words('The name.'),
  ownerId: words('The account that owns it.'),
  creationTime: z.number().optional().describe('When it was created, in milliseconds.'),
  tags: z
    .array(z.object({ key: words('The key.'), value: words('The value.') }))
    .optional()
    .describe('The tags.'),
  clientToken: words('The token of the request that created it.'),
});

const mountTarget = z.object({
  mountTargetId: words('The id.'),
  fileSystemId: words('The file system.'),
  subnetId: words('The subnet.'),
  ipAddress: words('The address.'),
  status: words('The state.'),
  statusMessage: words('What the service says of the state.'),
  vpcId: words('The network.'),
  ownerId: words('The account that owns it.'),
  securityGroups: z.array(z.string()).optional().describe('The security groups.'),
});

const Found = z.looseObject({ creationTime: seconds });
const FoundTarget = z.looseObject({ ipv4Address: z.string().nullish() });

function toFileSystem({ creationTime, ...found }: z.infer<typeof Found>) {
  const time = typeof creationTime === 'number' ? creationTime * 1000 : Date.parse(String(creationTime));
  return fileSystem.parse(dropMissing({ ...found, creationTime: Number.isNaN(time) ? undefined : time }));
}

const toTarget = ({ ipv4Address, ...found }: z.infer<typeof FoundTarget>) =>
  mountTarget.parse(dropMissing({ ipAddress: ipv4Address, ...found }));

const create = defineTask({
  type: 'aws.s3.files.CreateFileSystem',
  title: 'Create an S3 file system',
  description:
    'Makes a bucket, or a part of one, available as a file system. The task does not wait until it is ready.',
  input: () =>
    z.object({
      ...taskConnection,
      bucket: text().describe('The ARN of the bucket.'),
      roleArn: text().describe('The role that reads and writes the bucket.'),
      prefix: text().optional().describe('Only objects whose key starts with this text.'),
      kmsKeyId: text().optional().describe('The key that encrypts it.'),
      clientToken: text().optional().describe('A second request with the same token creates nothing.'),
      tags: mapOf(text()).optional().describe('Tags.'),
      acceptBucketWarning: flag()
        .default(false)
        .describe('Continue although the service warns of the bucket.'),
    }),
  output: () =>
    z.object({
      fileSystemId: words('The id.'),
      fileSystemArn: words('The ARN.'),
      status: words('The state.'),
      creationTime: z.number().optional().describe('When it was created, in milliseconds.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('aws.s3.files.CreateFileSystem', 'Create a file system.', [
      'bucket: arn:aws:s3:::my-bucket',
      'roleArn: arn:aws:iam::123456789012:role/files',
    ]),
  ],
  async run(
    context,
    { tags = {}, bucket, roleArn, prefix, kmsKeyId, clientToken, acceptBucketWarning, ...rest },
  ) {
    const client = await openClient(context, rest, 's3files');
    const made = await client.rest(
      { action: 'CreateFileSystem', method: 'PUT', path: '/file-systems' },
      {
        bucket,
        roleArn,
        acceptBucketWarning,
        tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
        ...dropMissing({ prefix, kmsKeyId, clientToken }),
      },
      Found,
    );
    return toFileSystem(made);
  },
});

const createTarget = defineTask({
  type: 'aws.s3.files.CreateMountTarget',
  title: 'Create a mount target of an S3 file system',
  description: 'Makes a file system reachable in a subnet. The task does not wait until it is ready.',
  input: () =>
    z.object({
      ...taskConnection,
      fileSystemId,
      subnetId: text().describe('The subnet.'),
      ipAddress: text().optional().describe('The address; chosen by the service when absent.'),
      securityGroups: listOf(text()).optional().describe('The security groups.'),
    }),
  output: () =>
    z.object({
      mountTargetId: words('The id.'),
      ipAddress: words('The address.'),
      status: words('The state.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('aws.s3.files.CreateMountTarget', 'Create a mount target.', [
      'fileSystemId: fs-0123456789',
      'subnetId: subnet-1',
    ]),
  ],
  async run(context, { fileSystemId: id, subnetId, ipAddress, securityGroups, ...connection }) {
    const client = await openClient(context, connection, 's3files');
    const made = await client.rest(
      { action: 'CreateMountTarget', method: 'PUT', path: '/mount-targets' },
      { fileSystemId: id, subnetId, ...dropMissing({ ipv4Address: ipAddress, securityGroups }) },
      FoundTarget,
    );
    return toTarget(made);
  },
});

const deletion = (name: 'FileSystem' | 'MountTarget', path: string, words: string) => {
  const property = `${name.charAt(0).toLowerCase()}${name.slice(1)}Id`;
  return defineTask({
    type: `aws.s3.files.Delete${name}`,
    title: `Delete ${words}`,
    description: `Deletes ${words}. The objects of the bucket stay.`,
    input: () => z.object({ ...taskConnection, [property]: text().describe('The id.') }),
    output: () => z.object({}),
    sideEffects: true,
    examples: [taskExample(`aws.s3.files.Delete${name}`, 'Delete it.', [`${property}: id-0123456789`])],
    async run(context, input) {
      const client = await openClient(context, input, 's3files');
      const id = encodePart(String(new Map(Object.entries(input)).get(property)));
      const request = { action: `Delete${name}`, method: 'DELETE', path: `/${path}/${id}` };
      await client.rest(request, undefined, z.unknown());
      return {};
    },
  });
};

const get = defineTask({
  type: 'aws.s3.files.GetFileSystem',
  title: 'Get facts about an S3 file system',
  description: 'Returns state, bucket and tags of a file system.',
  input: () => z.object({ ...taskConnection, fileSystemId }),
  output: () => z.object({ fileSystem: fileSystem.describe('The file system.') }),
  sideEffects: true,
  examples: [
    taskExample('aws.s3.files.GetFileSystem', 'Look at a file system.', ['fileSystemId: fs-0123456789']),
  ],
  async run(context, { fileSystemId: id, ...connection }) {
    const client = await openClient(context, connection, 's3files');
    const request = { action: 'GetFileSystem', method: 'GET', path: `/file-systems/${encodePart(id)}` };
    return { fileSystem: toFileSystem(await client.rest(request, undefined, Found)) };
  },
});

const page = {
  maxResults: integer({ min: 1 }).optional().describe('How many at most.'),
  nextToken: text().optional().describe('The token of the page before.'),
};
const nextToken = z.string().optional().describe('The token of the next page.');
const count = (value: number | undefined) => (value === undefined ? undefined : String(value));

const list = defineTask({
  type: 'aws.s3.files.ListFileSystems',
  title: 'List S3 file systems',
  description: 'Returns a page of the file systems of a region.',
  input: () =>
    z.object({
      ...taskConnection,
      bucket: text().optional().describe('Only those of this bucket.'),
      ...page,
    }),
  output: () => z.object({ fileSystems: z.array(fileSystem).describe('The file systems.'), nextToken }),
  sideEffects: true,
  examples: [taskExample('aws.s3.files.ListFileSystems', 'List file systems.', ['maxResults: 10'])],
  async run(context, { bucket, maxResults, nextToken: token, ...connection }) {
    const client = await openClient(context, connection, 's3files');
    const query = { bucket, maxResults: count(maxResults), nextToken: token };
    const answer = await client.rest(
      { action: 'ListFileSystems', method: 'GET', path: '/file-systems', query },
      undefined,
      z.object({ fileSystems: z.array(Found).default([]), nextToken: z.string().nullish() }),
    );
    return {
      fileSystems: answer.fileSystems.map(toFileSystem),
      ...dropMissing({ nextToken: answer.nextToken }),
    };
  },
});

const listTargets = defineTask({
  type: 'aws.s3.files.ListMountTargets',
  title: 'List the mount targets of an S3 file system',
  description: 'Returns a page of the mount targets of a file system.',
  input: () => z.object({ ...taskConnection, fileSystemId, ...page }),
  output: () => z.object({ mountTargets: z.array(mountTarget).describe('The mount targets.'), nextToken }),
  sideEffects: true,
  examples: [
    taskExample('aws.s3.files.ListMountTargets', 'List mount targets.', ['fileSystemId: fs-0123456789']),
  ],
  async run(context, { fileSystemId: id, maxResults, nextToken: token, ...connection }) {
    const client = await openClient(context, connection, 's3files');
    const query = { fileSystemId: id, maxResults: count(maxResults), nextToken: token };
    const answer = await client.rest(
      { action: 'ListMountTargets', method: 'GET', path: '/mount-targets', query },
      undefined,
      z.object({ mountTargets: z.array(FoundTarget).default([]), nextToken: z.string().nullish() }),
    );
    return {
      mountTargets: answer.mountTargets.map(toTarget),
      ...dropMissing({ nextToken: answer.nextToken }),
    };
  },
});

export const fileSystemTypes: readonly Definition[] = [
  create,
  get,
  list,
  deletion('FileSystem', 'file-systems', 'an S3 file system'),
  createTarget,
  listTargets,
  deletion('MountTarget', 'mount-targets', 'a mount target of an S3 file system'),
];
