import { fetchRows, type JsonMap, mapsIn } from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need } from '../rest/properties.ts';
import { waitFor } from '../rest/waitFor.ts';
import { accept, ceph, fetchType, name, pick, poolName, readWhenThere } from './service.ts';

const imageName = need.text('The image.');
const imageOutput = {
  name: out.text('The name.'),
  pool_name: out.text('The pool.'),
  size: out.integer('The size in bytes.'),
  obj_size: out.integer('The size of its objects in bytes.'),
};
const imagePath = (pool: string, image: string) => `/api/block/image/${name(`${pool}/${image}`)}`;

const readImage = async (client: RestClient, context: { signal: AbortSignal }, pool: string, image: string) =>
  pick(
    await readWhenThere(client, context, imagePath(pool, image), `The image "${pool}/${image}"`),
    imageOutput,
  );

const createImage = ceph.task({
  type: 'rbd.images.Create',
  title: 'Create a block device image in Ceph',
  description: 'Creates an image and waits until Ceph shows it.',
  properties: { poolName, imageName, size: need.integer('The size in bytes.') },
  output: imageOutput,
  run: async (client, { poolName: pool, imageName: image, size }, context) => {
    await client.send({
      method: 'POST',
      path: '/api/block/image',
      body: { pool_name: pool, name: image, size },
    });
    return readImage(client, context, pool, image);
  },
  example: { poolName: 'images', imageName: 'disk1', size: 10_737_418_240 },
});

const deleteImage = ceph.task({
  type: 'rbd.images.Delete',
  title: 'Delete a block device image of Ceph',
  description: 'Deletes an image.',
  properties: { poolName, imageName },
  request: (input) => `DELETE ${imagePath(input.poolName, input.imageName)}`,
  example: { poolName: 'images', imageName: 'disk1' },
});

const imagesPerPage = 100;

const listImages = ceph.task({
  type: 'rbd.images.List',
  title: 'List the block device images of Ceph',
  description: 'Lists the images of a pool, or of all pools.',
  properties: {
    poolName: may.text('Only images of this pool.'),
    fetchType,
  },
  output: {
    total: out.integer('How many there are.'),
    images: out.maps('The images, with `FETCH`.'),
    uri: out.text('A file with one a line, with `STORE`.'),
  },
  run: async (client, input, context) => {
    async function* images(): AsyncGenerator<JsonMap> {
      for (let offset = 0; ; offset += imagesPerPage) {
        const query = { pool_name: input.poolName, offset, limit: imagesPerPage };
        const { body } = await client.send({ path: '/api/block/image', query, headers: accept('2.0') });
        // The images are grouped by pool.
        const rows = mapsIn(body).flatMap(({ value }) => mapsIn(value));
        yield* rows.map((row) => pick(row, imageOutput));
        if (rows.length < imagesPerPage) return;
      }
    }
    const fetched = await fetchRows(context, input.fetchType, images());
    return { total: fetched.size, images: fetched.rows ?? (fetched.row && [fetched.row]), uri: fetched.uri };
  },
  example: { poolName: 'images' },
});

const snapshotName = need.text('The snapshot.');
const snapshotOutput = {
  id: out.integer('The number.'),
  name: out.text('The name.'),
  size: out.integer('The size in bytes.'),
  timestamp: out.text('When the snapshot was made.'),
  is_protected: out.flag('Whether it is protected from deletion.'),
};
const onSnapshot = { poolName, imageName, snapshotName };
const snapshotExample = { poolName: 'images', imageName: 'disk1', snapshotName: 'before-update' };
const snapshotPath = (input: { poolName: string; imageName: string; snapshotName: string }) =>
  `${imagePath(input.poolName, input.imageName)}/snap/${name(input.snapshotName)}`;

const snapshotsOf = async (client: RestClient, pool: string, image: string) =>
  mapsIn((await client.ask({ path: imagePath(pool, image) })).snapshots);

const createSnapshot = ceph.task({
  type: 'rbd.snapshots.Create',
  title: 'Create a snapshot of an image in Ceph',
  description: 'Creates a snapshot and waits until Ceph shows it.',
  properties: onSnapshot,
  output: snapshotOutput,
  run: async (client, { poolName: pool, imageName: image, snapshotName: snapshot }, context) => {
    const path = `${imagePath(pool, image)}/snap`;
    const body = { snapshot_name: snapshot, mirrorImageSnapshot: false };
    await client.send({ method: 'POST', path, body });
    const found = await waitFor(context, {
      what: `The snapshot "${snapshot}"`,
      everyMs: 500,
      atMostMs: 60_000,
      poll: async () => (await snapshotsOf(client, pool, image)).find((each) => each.name === snapshot),
    });
    return pick(found, snapshotOutput);
  },
  example: snapshotExample,
});

const deleteSnapshot = ceph.task({
  type: 'rbd.snapshots.Delete',
  title: 'Delete a snapshot in Ceph',
  description: 'Deletes a snapshot, which must not be protected.',
  properties: onSnapshot,
  request: (input) => `DELETE ${snapshotPath(input)}`,
  example: snapshotExample,
});

const rollbackSnapshot = ceph.task({
  type: 'rbd.snapshots.Rollback',
  title: 'Return an image of Ceph to a snapshot',
  description: 'Replaces the content of the image by that of the snapshot.',
  properties: onSnapshot,
  request: (input) => `POST ${snapshotPath(input)}/rollback`,
  output: { message: out.text('The image and the snapshot.') },
  result: (_, input) => ({
    message: `Image "${input.poolName}/${input.imageName}" was returned to snapshot "${input.snapshotName}".`,
  }),
  example: snapshotExample,
});

const cloneSnapshot = ceph.task({
  type: 'rbd.snapshots.Clone',
  title: 'Clone a snapshot in Ceph',
  description: 'Creates an image from a snapshot, and protects the snapshot first when it is not protected.',
  properties: {
    ...onSnapshot,
    childPoolName: need.text('The pool of the new image.'),
    childImageName: need.text('The name of the new image.'),
  },
  output: imageOutput,
  run: async (client, input, context) => {
    const found = await snapshotsOf(client, input.poolName, input.imageName);
    if (found.find((each) => each.name === input.snapshotName)?.is_protected !== true)
      await client.send({ method: 'PUT', path: snapshotPath(input), body: { is_protected: true } });
    const body = { child_pool_name: input.childPoolName, child_image_name: input.childImageName };
    await client.send({ method: 'POST', path: `${snapshotPath(input)}/clone`, body });
    return readImage(client, context, input.childPoolName, input.childImageName);
  },
  example: { ...snapshotExample, childPoolName: 'images', childImageName: 'disk2' },
});

const listSnapshots = ceph.task({
  type: 'rbd.snapshots.List',
  title: 'List the snapshots of an image in Ceph',
  description: 'Lists the snapshots of an image.',
  properties: { poolName, imageName },
  request: (input) => `GET ${imagePath(input.poolName, input.imageName)}`,
  rows: {
    at: 'snapshots',
    names: { rows: 'snapshots', size: 'total' },
    map: (row) => pick(row, snapshotOutput),
  },
  example: { poolName: 'images', imageName: 'disk1' },
});

export const blockTypes = [
  createImage,
  deleteImage,
  listImages,
  createSnapshot,
  deleteSnapshot,
  rollbackSnapshot,
  cloneSnapshot,
  listSnapshots,
];
