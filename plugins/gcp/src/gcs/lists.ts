import { flag, integer, part, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { count, counter, defineGcpTask, taskExample } from '../google/define.ts';
import { numberAt } from '../google/json.ts';
import {
  allVersionsProperty,
  blobOutput,
  deleteObject,
  filterProperty,
  type Listed,
  listObjects,
  listProperties,
  maxFilesProperty,
  objectUrl,
  parseObject,
  takeObjects,
  uriOf,
} from './objects.ts';

export const list = defineGcpTask({
  type: 'gcp.gcs.List',
  title: 'List files in Cloud Storage',
  description: 'Lists the objects and folders below a prefix, at most `maxFiles`.',
  properties: {
    ...listProperties,
    allVersions: allVersionsProperty(),
    filter: filterProperty(),
    maxFiles: maxFilesProperty(),
  },
  output: () => z.object({ blobs: z.array(blobOutput).describe('The entries.') }),
  metrics: [counter('size', 'How many entries were found.')],
  examples: [
    taskExample(
      'gcp.gcs.List',
      'List the files of a folder.',
      'from: gs://my-bucket/folder/\nfilter: FILES\nmaxFiles: 100',
    ),
  ],
  async run({ google }, input, context) {
    const found = await takeObjects(google, input, input.maxFiles);
    count(context, { size: found.length });
    return { blobs: found.map(({ blob }) => blob) };
  },
});

export const remove = defineGcpTask({
  type: 'gcp.gcs.Delete',
  title: 'Delete a file in Cloud Storage',
  description: 'Deletes an object. One that does not exist is no error, unless `errorOnMissing` is set.',
  properties: {
    uri: text().optional().describe('The address of the object, such as `gs://bucket/folder/file.csv`.'),
    errorOnMissing: flag().default(false).describe('Fail when there is no such object.'),
  },
  output: () =>
    z.object({
      uri: z.string().describe('The address of the object.'),
      deleted: z.boolean().describe('Whether there was one.'),
    }),
  examples: [taskExample('gcp.gcs.Delete', 'Delete a file.', 'uri: gs://my-bucket/folder/file.csv')],
  async run({ google }, { uri, errorOnMissing }) {
    const place = parseObject(uri, 'uri');
    const deleted = await deleteObject(google, place);
    if (!deleted && errorOnMissing)
      throw new TaskFailed(`The object ${uriOf(place)} does not exist.`, { retry: false });
    return { uri: uriOf(place), deleted };
  },
});

export const removeList = defineGcpTask({
  type: 'gcp.gcs.DeleteList',
  title: 'Delete files in Cloud Storage',
  description: 'Deletes every object below a prefix that matches, up to `concurrent` at the same time.',
  properties: {
    ...listProperties,
    allVersions: allVersionsProperty(),
    errorOnEmpty: flag().default(false).describe('Fail when there is nothing to delete.'),
    concurrent: integer({ min: 1, max: 100 })
      .optional()
      .describe('How many objects are deleted at the same time; one when absent.'),
  },
  output: () =>
    z.object({
      count: z.number().describe('How many objects were deleted.'),
      size: z.number().describe('Their length in bytes.'),
    }),
  metrics: [counter('count', 'How many objects were deleted.'), counter('size', 'Their length in bytes.')],
  examples: [
    taskExample(
      'gcp.gcs.DeleteList',
      'Empty a folder.',
      'from: gs://my-bucket/tmp/\nlistingType: RECURSIVE\nconcurrent: 8',
    ),
  ],
  async run({ google }, input, context) {
    const objects = listObjects(google, { ...input, filter: 'FILES' });
    const total = { count: 0, size: 0 };
    // Each worker takes the next object of the same listing.
    const work = async () => {
      for await (const { blob, generation } of shared(objects)) {
        if (!(await deleteObject(google, blob, input.allVersions ? generation : undefined))) continue;
        total.count++;
        total.size += blob.size ?? 0;
      }
    };
    await Promise.all(Array.from({ length: input.concurrent ?? 1 }, work));
    if (total.count === 0 && input.errorOnEmpty)
      throw new TaskFailed(`There is nothing to delete below ${input.from}.`, { retry: false });
    count(context, total);
    return total;
  },
});

/** One generator for several readers: leaving one loop does not end it for the others. */
async function* shared(objects: AsyncGenerator<Listed>): AsyncGenerator<Listed> {
  for (let next = await objects.next(); next.done !== true; next = await objects.next()) yield next.value;
}

/** The maximum number of objects that Cloud Storage composes at once. */
const maxComposed = 32;

export const compose = defineGcpTask({
  type: 'gcp.gcs.Compose',
  title: 'Join files in Cloud Storage',
  description: `Joins the objects that \`list\` finds, in the order of their names, into one object of the same bucket, without downloading them. More than 32
objects are joined in several steps.`,
  properties: {
    list: part({ ...listProperties, filter: filterProperty() }).describe('Which objects.'),
    to: text().optional().describe('The address of the new object, in the same bucket.'),
    allowEmpty: flag().default(false).describe('Do nothing when no object is found, instead of failing.'),
  },
  output: () => z.object({ uri: z.string().optional().describe('The address of the new object.') }),
  metrics: [counter('count', 'How many objects were joined.'), counter('size', 'The length in bytes.')],
  examples: [
    taskExample(
      'gcp.gcs.Compose',
      'Join the parts of an export.',
      'list:\n  from: gs://my-bucket/parts/\nto: gs://my-bucket/all.csv',
    ),
  ],
  async run({ google }, input, context) {
    const target = parseObject(input.to, 'to');
    const names: string[] = [];
    let contentType: string | undefined;
    for await (const { blob } of listObjects(google, { ...input.list, filter: 'FILES' })) {
      if (blob.bucket !== target.bucket)
        throw new TaskFailed(`"to" must be in the bucket "${blob.bucket}", got "${target.bucket}".`, {
          retry: false,
        });
      if (blob.name.endsWith('/')) continue;
      names.push(blob.name);
      // The new object has the media type of the first one; otherwise it would have none.
      contentType ??= blob.contentType ?? 'application/octet-stream';
    }
    if (names.length === 0) {
      if (input.allowEmpty) return {};
      throw new TaskFailed(`There is nothing to join below ${input.list.from}.`, { retry: false });
    }
    let size: number | undefined;
    for (let from = 0; from < names.length; ) {
      const sources = from === 0 ? [] : [target.name];
      const next = names.slice(from, from + maxComposed - sources.length);
      from += next.length;
      const body = await google.post(`${objectUrl(target)}/compose`, {
        sourceObjects: [...sources, ...next].map((name) => ({ name })),
        destination: { contentType },
      });
      size = numberAt(body, 'size');
    }
    count(context, { count: names.length, size });
    return { uri: uriOf(target) };
  },
});
