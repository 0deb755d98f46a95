import { dropMissing, fetchRows, isMap, type JsonMap, mapsIn, textOf } from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { out, valueAt } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { sealedOutput } from '../rest/sealedOutput.ts';
import { blockTypes } from './block.ts';
import { ceph, fetchType, name, pick, poolName, readWhenThere } from './service.ts';

const healthOutput = {
  status: out.text('The state, such as `HEALTH_OK`.'),
  summary: out.texts('The messages of the checks that failed.'),
  checks: out.any('The checks that failed, as Ceph describes them.'),
};

/** The health of the cluster: its state, and the checks that failed. */
function healthOf(body: unknown): JsonMap {
  const health = valueAt(body, 'health') ?? body;
  const checks = valueAt(health, 'checks') ?? [];
  // Older versions write a map by type, newer ones a list.
  const list = isMap(checks) ? mapsIn(Object.values(checks)) : mapsIn(checks);
  const messages = list.map((check) => textOf(valueAt(check, 'summary.message')) ?? textOf(check.type));
  return { status: textOf(valueAt(health, 'status')), summary: messages.filter(Boolean), checks };
}

const health = (type: string, title: string, path: string) =>
  ceph.task({
    type: `cluster.${type}`,
    title,
    description:
      'Reads the state of the cluster and the checks that failed. A warning does not fail the task.',
    request: `GET ${path}` as 'GET /',
    output: healthOutput,
    result: ({ body }) => healthOf(body),
    example: {},
  });

const healthTrigger = ceph.trigger({
  type: 'cluster.HealthTrigger',
  title: 'Start an execution when a Ceph cluster is not healthy',
  description: 'Reads the state every `interval` and starts an execution while it is not `HEALTH_OK`.',
  interval: 'PT5M',
  output: healthOutput,
  poll: async (client) => {
    const found = healthOf(await client.ask({ path: '/api/health/minimal' }));
    return found.status === undefined || found.status === 'HEALTH_OK' ? undefined : found;
  },
  example: {},
});

const poolOutput = {
  pool: out.integer('The number of the pool.'),
  pool_name: out.text('Its name.'),
  type: out.text('`replicated` or `erasure`.'),
  size: out.integer('The number of copies.'),
  pg_num: out.integer('The number of placement groups.'),
  pg_placement_num: out.integer('The number of placement groups for placement.'),
  application_metadata: out.texts('The applications that use the pool.'),
};
const readPool = async (client: RestClient, context: { signal: AbortSignal }, pool: string) =>
  pick(await readWhenThere(client, context, `/api/pool/${name(pool)}`, `The pool "${pool}"`), poolOutput);

const applicationMetadata = may.texts('The applications that use the pool, such as `rbd`.');

const createPool = ceph.task({
  type: 'pools.Create',
  title: 'Create a pool in Ceph',
  description: 'Creates a pool and waits until Ceph shows it.',
  properties: {
    poolName,
    poolType: preset.choice(['REPLICATED', 'ERASURE'], 'REPLICATED', 'How data is kept.'),
    pgNum: preset.integer(32, 'The number of placement groups.'),
    size: preset.integer(3, 'The number of copies of a replicated pool.'),
    applicationMetadata,
  },
  output: poolOutput,
  run: async (client, input, context) => {
    const isReplicated = input.poolType === 'REPLICATED';
    const body = dropMissing({
      pool: input.poolName,
      pool_type: input.poolType.toLowerCase(),
      pg_num: input.pgNum,
      size: isReplicated ? input.size : undefined,
      application_metadata: input.applicationMetadata,
    });
    await client.send({ method: 'POST', path: '/api/pool', body });
    return readPool(client, context, input.poolName);
  },
  example: { poolName: 'images', applicationMetadata: ['rbd'] },
});

const updatePool = ceph.task({
  type: 'pools.Update',
  title: 'Change a pool of Ceph',
  description: 'Changes the given settings of a pool.',
  properties: {
    poolName,
    size: may.integer('The number of copies.'),
    pgNum: may.integer('The number of placement groups.'),
    applicationMetadata,
  },
  output: poolOutput,
  run: async (client, input, context) => {
    const body = dropMissing({
      size: input.size,
      pg_num: input.pgNum,
      application_metadata: input.applicationMetadata,
    });
    await client.send({ method: 'PUT', path: `/api/pool/${name(input.poolName)}`, body });
    return readPool(client, context, input.poolName);
  },
  example: { poolName: 'images', size: 2 },
});

const getPool = ceph.task({
  type: 'pools.Get',
  title: 'Get a pool of Ceph',
  description: 'Reads one pool.',
  properties: { poolName },
  request: 'GET /api/pool/{poolName}',
  output: poolOutput,
  example: { poolName: 'images' },
});

const deletePool = ceph.task({
  type: 'pools.Delete',
  title: 'Delete a pool of Ceph',
  description: 'Deletes a pool with its data. Ceph must allow it with `mon_allow_pool_delete`.',
  properties: { poolName },
  request: 'DELETE /api/pool/{poolName}',
  example: { poolName: 'images' },
});

const listPools = ceph.task({
  type: 'pools.List',
  title: 'List the pools of Ceph',
  description: 'Lists the pools.',
  request: 'GET /api/pool',
  rows: { at: '', names: { rows: 'pools', size: 'total' }, map: (row) => pick(row, poolOutput) },
  example: {},
});

const createBucket = ceph.task({
  type: 'rgw.CreateBucket',
  title: 'Create a bucket in the object gateway of Ceph',
  description: 'Creates a bucket that belongs to a user.',
  properties: { bucketName: need.text('The bucket.'), owner: need.text('The id of its owner.') },
  output: {
    bucket: out.text('The bucket.'),
    owner: out.text('Its owner.'),
    id: out.text('Its id.'),
  },
  run: async (client, { bucketName: bucket, owner }) => {
    const made = await client.send({
      method: 'POST',
      path: '/api/rgw/bucket',
      body: { bucket, uid: owner },
    });
    // Only some versions of the gateway return the new bucket.
    const id =
      textOf(valueAt(made.body, 'bucket_info.bucket.bucket_id')) ??
      textOf((await client.ask({ path: `/api/rgw/bucket/${name(bucket)}` })).id);
    return { bucket, owner, id };
  },
  example: { bucketName: 'reports', owner: 'robot' },
});

const deleteBucket = ceph.task({
  type: 'rgw.DeleteBucket',
  title: 'Delete a bucket of the object gateway of Ceph',
  description: 'Deletes a bucket, which must be empty.',
  properties: { bucketName: need.text('The bucket.') },
  request: 'DELETE /api/rgw/bucket/{bucketName}',
  query: () => ({ purge_objects: false }),
  example: { bucketName: 'reports' },
});

const createUser = ceph.task({
  type: 'rgw.CreateUser',
  title: 'Create a user of the object gateway of Ceph',
  description: 'Creates a user with a key for S3. The secret key is stored encrypted.',
  properties: {
    uid: need.text('The id.'),
    displayName: need.text('The name.'),
    email: may.text('The address.'),
  },
  output: {
    userId: out.text('The id.'),
    displayName: out.text('The name.'),
    email: out.text('The address.'),
    keys: out.maps('The keys for S3: `accessKey` and `secretKey`.'),
  },
  run: async (client, { uid, displayName, email }, context) => {
    const body = dropMissing({ uid, display_name: displayName, email });
    const made = await client.ask({ method: 'POST', path: '/api/rgw/user', body });
    const keys = mapsIn(made.keys).map(({ access_key: accessKey, secret_key: secret }) => ({
      accessKey,
      secretKey: sealedOutput(context, String(secret ?? '')),
    }));
    return {
      userId: textOf(made.user_id) ?? uid,
      displayName: textOf(made.display_name) ?? displayName,
      email: textOf(made.email) || undefined,
      keys,
    };
  },
  example: { uid: 'robot', displayName: 'Robot' },
});

/** The gateway returns names, which are the rows. */
const names = (type: string, plural: string, path: string) =>
  ceph.task({
    type: `rgw.${type}`,
    title: `List the ${plural} of the object gateway of Ceph`,
    description: `Lists the names of the ${plural}.`,
    properties: { fetchType },
    output: {
      total: out.integer('How many there are.'),
      [plural]: out.texts('The names, with `FETCH` or `FETCH_ONE`.'),
      uri: out.text('A file with one a line, with `STORE`.'),
    },
    run: async (client, { fetchType }, context) => {
      const { body } = await client.send({ path });
      const found = (Array.isArray(body) ? body : []).map(String);
      const { uri } = await fetchRows(
        context,
        fetchType,
        found.map((each) => ({ name: each })),
      );
      const shown = fetchType === 'FETCH' ? found : fetchType === 'FETCH_ONE' ? found.slice(0, 1) : undefined;
      return { total: found.length, [plural]: shown, uri };
    },
    example: {},
  });

export const cephTypes = [
  health('GetHealth', 'Get the health of a Ceph cluster', '/api/health/minimal'),
  health('GetStatus', 'Get the status of a Ceph cluster', '/api/health/full'),
  healthTrigger,
  createPool,
  updatePool,
  getPool,
  deletePool,
  listPools,
  ...blockTypes,
  createBucket,
  deleteBucket,
  names('ListBuckets', 'buckets', '/api/rgw/bucket'),
  createUser,
  names('ListUsers', 'users', '/api/rgw/user'),
];
