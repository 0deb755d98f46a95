import {
  copyObject,
  deleteObject,
  downloadObject,
  listObjects,
  metadataHeaders,
  readText,
  uploadObject,
} from '@millrace/plugin-aws/compatible';
import { collect, part, text } from '@millrace/plugin-kit';
import { may, need, out, type Property, preset } from '@millrace/plugin-saas/rest';
import { connectionExample, type Types } from '../client/connection.ts';
import { huaweiTask } from '../client/define.ts';
import { metadata, obsProperties, openObs, storageClass, storageClassOf } from './client.ts';
import { bucket, deleteAll, downloadAll, listProperties, moveTo, objectFields, toObject } from './objects.ts';

const key = need.text('The key.');
const versionId = may.text('The version; the latest when absent.');
const { projectId: _, ...keys } = connectionExample;
const place = { bucket: 'my-bucket', ...keys };
const aliasOf = (name: string) => [`huawei.obs.tasks.${name}`];
const sizeMetric = {
  name: 'file.size',
  type: 'counter',
  unit: 'bytes',
  description: 'The size of a file.',
} as const;
const countMetric = { name: 'size', type: 'counter', description: 'How many objects there were.' } as const;

const upload = huaweiTask({
  type: 'huawei.obs.Upload',
  aliases: aliasOf('Upload'),
  title: 'Upload a file to OBS',
  description:
    'Stores a file of internal storage in a bucket, whatever its size. Large files are sent in parts and appear when the last part has arrived.',
  properties: {
    ...obsProperties,
    bucket,
    key,
    from: need.file('The file in internal storage.'),
    contentType: may.text('The media type.'),
    metadata,
    storageClass,
  },
  output: {
    bucket: out.text('The bucket.'),
    key: out.text('The key.'),
    eTag: out.text('The entity tag.'),
    versionId: out.text('The version, in a bucket that keeps versions.'),
  },
  metrics: [sizeMetric],
  run: async (context, input) => {
    const {
      eTag,
      versionId: version,
      sizeBytes,
    } = await uploadObject(openObs(context, input), {
      bucket: input.bucket,
      key: input.key,
      content: await context.files.read(input.from),
      headers: {
        'content-type': input.contentType,
        'x-amz-storage-class': storageClassOf(input.storageClass, input.authType),
        ...metadataHeaders(input.metadata),
      },
    });
    context.metric({ name: 'file.size', type: 'counter', value: sizeBytes });
    return { bucket: input.bucket, key: input.key, eTag, versionId: version };
  },
  example: { ...place, key: 'reports/today.csv', from: '{{ inputs.file }}' },
});

const download = huaweiTask({
  type: 'huawei.obs.Download',
  aliases: aliasOf('Download'),
  title: 'Download a file from OBS',
  description: 'Copies an object to internal storage, whatever its size.',
  properties: { ...obsProperties, bucket, key, versionId },
  output: {
    uri: out.text('The file in internal storage.'),
    contentLength: out.integer('The size in bytes.'),
    contentType: out.text('The media type.'),
    metadata: out.map('The metadata of the object.'),
  },
  metrics: [sizeMetric],
  run: async (context, input) => {
    const {
      uri,
      contentLength,
      contentType,
      metadata: found,
    } = await downloadObject(openObs(context, input), input);
    return { uri, contentLength, contentType, metadata: found };
  },
  example: { ...place, key: 'reports/today.csv' },
});

const downloads = huaweiTask({
  type: 'huawei.obs.Downloads',
  aliases: aliasOf('Downloads'),
  title: 'Download all objects of a folder from OBS',
  description:
    'Copies objects to internal storage, and then moves them, deletes them or leaves them. The first one is moved only after the last one is stored.',
  properties: {
    ...obsProperties,
    bucket,
    ...listProperties,
    action: preset.choice(
      ['NONE', 'DELETE', 'MOVE'],
      'NONE',
      'What happens to the objects after they are stored.',
    ),
    moveTo,
  },
  output: {
    objects: out.maps('The objects that were stored.'),
    outputFiles: out.map('The stored files by key.'),
  },
  metrics: [countMetric, sizeMetric],
  run: async (context, input) => {
    const done = await downloadAll(openObs(context, input), input);
    context.metric({ name: 'size', type: 'counter', value: done.objects.length });
    return done;
  },
  example: { ...place, prefix: 'inbox/', action: 'MOVE', moveTo: { keyPrefix: 'done' } },
});

const list = huaweiTask({
  type: 'huawei.obs.List',
  aliases: aliasOf('List'),
  title: 'List the objects of an OBS bucket',
  description: `Returns the objects of a bucket in the order of their keys: ${objectFields}. With a \`delimiter\`, folders stand for the objects in them.`,
  properties: {
    ...obsProperties,
    bucket,
    ...listProperties,
    maxResults: may.integer('How many objects at most.'),
  },
  output: { objects: out.maps('The objects.') },
  metrics: [countMetric],
  run: async (context, input) => {
    const entries = listObjects(openObs(context, input), { ...input, filter: 'BOTH', usesMarkers: true });
    const found = await collect(entries, input.maxResults);
    context.metric({ name: 'size', type: 'counter', value: found.length });
    return { objects: found.map((entry) => toObject(entry, `obs://${input.bucket}/${entry.key}`)) };
  },
  example: { ...place, prefix: 'reports/' },
});

const remove = huaweiTask({
  type: 'huawei.obs.Delete',
  aliases: aliasOf('Delete'),
  title: 'Delete an object from OBS',
  description: 'Deletes an object, or one version of it. An object that does not exist is no error.',
  properties: { ...obsProperties, bucket, key, versionId },
  output: {
    deleteMarker: out.flag('Whether a marker hides the object, in a bucket that keeps versions.'),
    versionId: out.text('The version, in a bucket that keeps versions.'),
  },
  run: async (context, input) => {
    const obs = openObs(context, input);
    const response = await obs.call({
      action: `DeleteObject of "${input.bucket}/${input.key}"`,
      method: 'DELETE',
      bucket: input.bucket,
      key: input.key,
      query: { versionId: input.versionId },
    });
    await readText(response);
    const { headers } = response;
    return {
      deleteMarker: headers['x-amz-delete-marker']?.[0] === 'true',
      versionId: headers['x-amz-version-id']?.[0],
    };
  },
  example: { ...place, key: 'reports/old.csv' },
});

const deleteList = huaweiTask({
  type: 'huawei.obs.DeleteList',
  aliases: aliasOf('DeleteList'),
  title: 'Delete the objects of a folder from OBS',
  description: 'Deletes all objects that match, up to a thousand in one request.',
  properties: {
    ...obsProperties,
    bucket,
    ...listProperties,
    errorOnEmpty: preset.flag(false, 'Fail when there is nothing to delete.'),
    errorOnFailure: preset.flag(true, 'Fail when an object could not be deleted.'),
  },
  output: {
    count: out.integer('How many objects were deleted.'),
    size: out.integer('How large they were, in bytes.'),
    errors: out.integer('How many objects could not be deleted.'),
  },
  metrics: [{ name: 'count', type: 'counter', description: 'How many objects were deleted.' }],
  run: async (context, input) => {
    const done = await deleteAll(openObs(context, input), input);
    context.metric({ name: 'count', type: 'counter', value: done.count });
    return done;
  },
  example: { ...place, prefix: 'tmp/' },
});

const copy = huaweiTask({
  type: 'huawei.obs.Copy',
  aliases: aliasOf('Copy'),
  title: 'Copy or move an object of OBS',
  description: 'Copies an object to another key or bucket. With `delete` the original is deleted afterwards.',
  properties: {
    ...obsProperties,
    from: {
      schema: () =>
        part({
          bucket: text().describe('The bucket.'),
          key: text().describe('The key.'),
          versionId: text().optional().describe('The version; the latest when absent.'),
        }).describe('The object to copy.'),
    } satisfies Property<{ bucket: string; key: string; versionId?: string | undefined }>,
    to: {
      schema: () =>
        part({ bucket: text().describe('The bucket.'), key: text().describe('The key.') }).describe(
          'Where to.',
        ),
    } satisfies Property<{ bucket: string; key: string }>,
    delete: preset.flag(false, 'Delete the original afterwards.'),
  },
  output: {
    bucket: out.text('The bucket of the copy.'),
    key: out.text('The key of the copy.'),
    eTag: out.text('The entity tag of the copy.'),
    versionId: out.text('The version of the copy, in a bucket that keeps versions.'),
  },
  run: async (context, input) => {
    const obs = openObs(context, input);
    const { from, to } = input;
    const copied = await copyObject(obs, { from, to });
    const isSame = from.bucket === to.bucket && from.key === to.key;
    if (input.delete && !isSame) await deleteObject(obs, from);
    return { ...to, ...copied };
  },
  example: {
    ...keys,
    from: { bucket: 'my-bucket', key: 'inbox/orders.csv' },
    to: { bucket: 'my-archive', key: 'orders.csv' },
    delete: true,
  },
});

const createBucket = huaweiTask({
  type: 'huawei.obs.CreateBucket',
  aliases: aliasOf('CreateBucket'),
  title: 'Create an OBS bucket',
  description:
    'Creates a bucket in the region of the task. A bucket of this name that is already yours is kept as it is.',
  properties: { ...obsProperties, bucket, storageClass },
  output: { bucket: out.text('The bucket.'), created: out.flag('False when the bucket was already there.') },
  run: async (context, input) => {
    const obs = openObs(context, input);
    const { bucket: name, region } = input;
    const head = await obs.call({ action: 'HeadBucket', method: 'HEAD', bucket: name, accept: [404] });
    await readText(head);
    if (head.status !== 404) return { bucket: name, created: false };
    const isObs = (input.authType ?? 'OBS') === 'OBS';
    const tag = isObs ? 'Location' : 'LocationConstraint';
    const response = await obs.call({
      action: `CreateBucket "${name}"`,
      method: 'PUT',
      bucket: name,
      headers: {
        [isObs ? 'x-amz-storage-class' : 'x-default-storage-class']: storageClassOf(
          input.storageClass,
          input.authType,
        ),
        'content-type': 'application/xml',
      },
      ...(region !== undefined && {
        body: `<CreateBucketConfiguration><${tag}>${region}</${tag}></CreateBucketConfiguration>`,
      }),
    });
    await readText(response);
    return { bucket: name, created: true };
  },
  example: { ...place, storageClass: 'WARM' },
});

const deleteBucket = huaweiTask({
  type: 'huawei.obs.DeleteBucket',
  aliases: aliasOf('DeleteBucket'),
  title: 'Delete an OBS bucket',
  description: 'Deletes a bucket, which must be empty.',
  properties: {
    ...obsProperties,
    bucket,
    errorOnMissing: preset.flag(false, 'Fail when there is no such bucket.'),
  },
  output: { bucket: out.text('The bucket.'), deleted: out.flag('False when there was no such bucket.') },
  run: async (context, input) => {
    const response = await openObs(context, input).call({
      action: `DeleteBucket "${input.bucket}"`,
      method: 'DELETE',
      bucket: input.bucket,
      ...(!input.errorOnMissing && { accept: [404] }),
    });
    await readText(response);
    return { bucket: input.bucket, deleted: response.status !== 404 };
  },
  example: place,
});

export const obsTasks: Types = [
  upload,
  download,
  downloads,
  list,
  remove,
  deleteList,
  copy,
  createBucket,
  deleteBucket,
];
