import { flag, nameOfUri, storageUri, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Google, segment } from '../google/client.ts';
import { count, counter, defineGcpTask, fileInput, taskExample } from '../google/define.ts';
import { dropMissing, numberAt, textAt } from '../google/json.ts';
import { uploadResumable } from '../google/upload.ts';
import { actionIssue, actionProperties, disposeOf } from './action.ts';
import {
  allVersionsProperty,
  type Blob,
  blobOutput,
  copyObject,
  deleteObject,
  findObject,
  type Listed,
  listProperties,
  maxFilesProperty,
  objectUrl,
  type Place,
  parseObject,
  takeObjects,
  uploadUrl,
  uriOf,
  withSums,
} from './objects.ts';

export const upload = defineGcpTask({
  type: 'gcp.gcs.Upload',
  title: 'Upload a file to Cloud Storage',
  description: `Copies a file of internal storage to a bucket, whatever its size. The checksums of Cloud Storage are compared with those of the file; an object
that does not match is deleted again.`,
  properties: {
    from: storageUri().optional().describe('The file in internal storage.'),
    to: text().optional().describe('The address of the object, such as `gs://bucket/folder/file.csv`.'),
    contentType: text().optional().describe('The media type of the content.'),
    contentEncoding: text().optional().describe('The Content-Encoding header, such as `gzip`.'),
    contentDisposition: text().optional().describe('The Content-Disposition header.'),
    cacheControl: text().optional().describe('The Cache-Control header.'),
    validateChecksum: flag()
      .default(true)
      .describe('Fail unless the checksums of the object match the file.'),
    expectedMd5: text()
      .optional()
      .describe('The MD5 hash that the file must have, in Base64 or hexadecimal digits.'),
    expectedCrc32c: text().optional().describe('The CRC-32C checksum that the file must have, in Base64.'),
  },
  output: () =>
    z.object({
      uri: z.string().describe('The address of the object.'),
      md5: z.string().optional().describe('The MD5 hash in Base64.'),
      crc32c: z.string().optional().describe('The CRC-32C checksum in Base64.'),
    }),
  metrics: [counter('file.size', 'The length of the object in bytes.')],
  examples: [
    taskExample(
      'gcp.gcs.Upload',
      'Upload an input of the flow.',
      'from: "{{ inputs.file }}"\nto: gs://my-bucket/folder/file.csv',
      { inputs: fileInput },
    ),
  ],
  async run({ google }, input, context) {
    const { from, contentEncoding, contentDisposition, cacheControl } = input;
    if (!from) throw new TaskFailed('"from" must be given: a file in internal storage.', { retry: false });
    const place = parseObject(input.to, 'to');
    const { content, sums } = withSums(await context.files.read(from));
    const object = await uploadResumable(google, {
      url: `${uploadUrl}/b/${segment(place.bucket)}/o`,
      query: { name: place.name },
      metadata: dropMissing({
        name: place.name,
        contentType: input.contentType,
        contentEncoding,
        contentDisposition,
        cacheControl,
      }),
      contentType: input.contentType ?? 'application/octet-stream',
      content,
    });
    const stored = { md5: textAt(object, 'md5Hash'), crc32c: textAt(object, 'crc32c') };
    const problem = checkSums(stored, sums(), input);
    if (problem !== undefined) {
      await deleteObject(google, place, textAt(object, 'generation'));
      throw new TaskFailed(`${problem} The object ${uriOf(place)} was deleted.`);
    }
    count(context, { 'file.size': numberAt(object, 'size') });
    return dropMissing({ uri: uriOf(place), ...stored });
  },
});

interface Expected {
  readonly validateChecksum: boolean;
  readonly expectedMd5?: string | undefined;
  readonly expectedCrc32c?: string | undefined;
}

interface StoredSums {
  readonly md5?: string | undefined;
  readonly crc32c?: string | undefined;
}

function checkSums(stored: StoredSums, own: Required<StoredSums>, expected: Expected): string | undefined {
  const md5 = expected.expectedMd5?.trim();
  const wantedMd5 = md5 && /^[0-9a-f]{32}$/i.test(md5) ? Buffer.from(md5, 'hex').toString('base64') : md5;
  const differs = (name: string, is: string | undefined, wanted: string | undefined) =>
    wanted && is && is !== wanted ? `The ${name} is ${is}, but ${wanted} was expected.` : undefined;
  return (
    differs('MD5 hash of the file', own.md5, wantedMd5) ??
    differs('CRC-32C checksum of the file', own.crc32c, expected.expectedCrc32c?.trim()) ??
    (expected.validateChecksum
      ? (differs('MD5 hash of the object', stored.md5, own.md5) ??
        differs('CRC-32C checksum of the object', stored.crc32c, own.crc32c))
      : undefined)
  );
}

/** Copies an object to internal storage; with `validate` its checksum must be that of Cloud Storage. */
export async function downloadObject(
  google: Google,
  context: Pick<TaskContext, 'files' | 'metric'>,
  { blob, generation }: Listed,
  validate: boolean,
): Promise<string> {
  const response = await google.send({
    url: objectUrl(blob),
    query: { alt: 'media', ...(generation !== '' && { generation }) },
    headers: { accept: '*/*' },
  });
  const { content, sums } = withSums(response.body);
  const isPlain = blob.contentEncoding === undefined || blob.contentEncoding === '';
  return context.files.put(
    nameOfUri(blob.name),
    (async function* () {
      yield* content;
      if (!validate || !isPlain) return;
      const problem = checkSums(
        sums(),
        { md5: blob.md5 ?? '', crc32c: blob.crc32c ?? '' },
        { validateChecksum: true },
      );
      if (problem !== undefined) throw new TaskFailed(`The download of ${blob.uri} is damaged. ${problem}`);
      count(context, { 'checksum.validated': 1 });
    })(),
  );
}

const validateProperty = () =>
  flag()
    .default(false)
    .describe(
      'Fail unless the checksums match those of Cloud Storage. Objects with a Content-Encoding are not checked.',
    );
const validated = [counter('checksum.validated', 'How many downloads were checked.')];

export const download = defineGcpTask({
  type: 'gcp.gcs.Download',
  title: 'Download a file from Cloud Storage',
  description: 'Copies an object to internal storage, whatever its size.',
  properties: {
    from: text().optional().describe('The address of the object, such as `gs://bucket/folder/file.csv`.'),
    validateChecksum: validateProperty(),
  },
  output: () =>
    z.object({
      bucket: z.string().describe('The bucket.'),
      path: z.string().describe('The path in the bucket.'),
      uri: z.string().describe('The file in internal storage.'),
    }),
  metrics: validated,
  examples: [
    taskExample(
      'gcp.gcs.Download',
      'Download a file and log its URI.',
      'from: gs://my-bucket/folder/file.csv',
      {
        then: '- id: show\n  type: core.log.Log\n  message: "{{ outputs.download.uri }}"',
      },
    ),
  ],
  async run({ google }, { from, validateChecksum }, context) {
    const place = parseObject(from, 'from');
    const found = await findObject(google, place);
    const uri = await downloadObject(google, context, found, validateChecksum);
    return { bucket: place.bucket, path: place.name, uri };
  },
});

export const downloads = defineGcpTask({
  type: 'gcp.gcs.Downloads',
  title: 'Download files from Cloud Storage',
  description: `Copies the objects below a prefix to internal storage, at most \`maxFiles\`. \`action\` says what happens to them in the bucket afterwards, when all
of them are stored.`,
  check: actionIssue,
  properties: {
    ...listProperties,
    ...actionProperties,
    allVersions: allVersionsProperty(),
    maxFiles: maxFilesProperty(),
    validateChecksum: validateProperty(),
  },
  output: () =>
    z.object({
      blobs: z.array(blobOutput).describe('The downloaded objects.'),
      outputFiles: z
        .record(z.string(), z.string())
        .describe('The files in internal storage by their path in the bucket.'),
    }),
  metrics: validated,
  examples: [
    taskExample(
      'gcp.gcs.Downloads',
      'Download all CSV files of a folder and move them away.',
      'from: gs://my-bucket/inbox/\nregExp: gs://my-bucket/inbox/.*\\.csv\naction: MOVE\nmoveDirectory: gs://my-bucket/archive/',
    ),
  ],
  async run({ google }, input, context) {
    const found = await takeObjects(google, { ...input, filter: 'FILES' }, input.maxFiles);
    const blobs: Blob[] = [];
    for (const each of found)
      blobs.push({
        ...each.blob,
        uri: await downloadObject(google, context, each, input.validateChecksum),
      });
    for (const { blob } of found) await disposeOf(google, blob, input);
    return { blobs, outputFiles: Object.fromEntries(blobs.map(({ name, uri }) => [name, uri])) };
  },
});

export const copy = defineGcpTask({
  type: 'gcp.gcs.Copy',
  title: 'Copy a file within Cloud Storage',
  description:
    'Copies an object to another path or bucket without downloading it. With `delete` it is moved.',
  properties: {
    from: text().optional().describe('The address of the object.'),
    to: text().optional().describe('The address of the copy.'),
    delete: flag().default(false).describe('Delete the original afterwards.'),
  },
  output: () => z.object({ uri: z.string().describe('The address of the copy.') }),
  metrics: [counter('file.size', 'The length of the copy in bytes.')],
  examples: [
    taskExample(
      'gcp.gcs.Copy',
      'Move a file to an archive.',
      'from: gs://my-bucket/inbox/file.csv\nto: gs://my-archive/2026/file.csv\ndelete: true',
    ),
  ],
  async run({ google }, input, context) {
    const [from, to]: readonly [Place, Place] = [
      parseObject(input.from, 'from'),
      parseObject(input.to, 'to'),
    ];
    if (uriOf(from) === uriOf(to))
      throw new TaskFailed(`"from" and "to" are the same object ${uriOf(from)}.`, { retry: false });
    const object = await copyObject(google, from, to);
    if (input.delete) await deleteObject(google, from);
    count(context, { 'file.size': numberAt(object, 'size') });
    return { uri: uriOf(to) };
  },
});
