import { createHash } from 'node:crypto';
import { compileRegex } from '@millrace/expression';
import { choice, flag, integer, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Google, segment } from '../google/client.ts';
import { dropMissing, flagAt, type Json, mapAt, mapsAt, numberAt, textAt, textsAt } from '../google/json.ts';
import { Crc32c } from './crc32c.ts';

export const storageUrl = 'https://storage.googleapis.com/storage/v1';
export const uploadUrl = 'https://storage.googleapis.com/upload/storage/v1';

export interface Place {
  readonly bucket: string;
  readonly name: string;
}

/** Parses `gs://bucket/path`; the path is used verbatim. */
export function parsePlace(uri: string, property: string): Place {
  const [, bucket, name] = /^gs:\/\/([^/]+)(?:\/(.*))?$/s.exec(uri) ?? [];
  if (bucket === undefined)
    throw new TaskFailed(`"${property}" must be an address such as gs://bucket/path, got "${uri}".`, {
      retry: false,
    });
  return { bucket, name: name ?? '' };
}

/** As `parsePlace`, for the address of one object. */
export function parseObject(uri: string | undefined, property: string): Place {
  const place = parsePlace(uri ?? '', property);
  if (place.name === '')
    throw new TaskFailed(`"${property}" must name an object of the bucket, got "${uri}".`, { retry: false });
  return place;
}

export const uriOf = ({ bucket, name }: Place): string => `gs://${bucket}/${name}`;
export const bucketUrl = (bucket: string): string => `${storageUrl}/b/${segment(bucket)}`;
export const objectUrl = ({ bucket, name }: Place): string => `${bucketUrl(bucket)}/o/${segment(name)}`;

const optionalText = () => z.string().optional();

export const blobOutput = z.object({
  uri: z.string().describe('The address of the object; after a download the file in internal storage.'),
  bucket: z.string().describe('The bucket.'),
  name: z.string().describe('The path in the bucket.'),
  generatedId: optionalText().describe('The id, with bucket, path and generation.'),
  selfLink: optionalText().describe('The address in the API.'),
  cacheControl: optionalText().describe('The Cache-Control header.'),
  size: z.number().optional().describe('The length in bytes.'),
  etag: optionalText().describe('The entity tag.'),
  md5: optionalText().describe('The MD5 hash in Base64; absent for composed objects.'),
  crc32c: optionalText().describe('The CRC-32C checksum in Base64.'),
  customTime: optionalText().describe('The custom time.'),
  mediaLink: optionalText().describe('The address of the content.'),
  metadata: z.record(z.string(), z.string()).optional().describe('Custom metadata.'),
  metaGeneration: z.number().optional().describe('Grows with every change of the metadata.'),
  deleteTime: optionalText().describe('When this version was deleted.'),
  updateTime: optionalText().describe('When the metadata last changed.'),
  createTime: optionalText().describe('When the object was created.'),
  contentType: optionalText().describe('The media type.'),
  contentEncoding: optionalText().describe('The Content-Encoding header.'),
  contentDisposition: optionalText().describe('The Content-Disposition header.'),
  contentLanguage: optionalText().describe('The Content-Language header.'),
  timeStorageClassUpdated: optionalText().describe('When the storage class last changed.'),
  componentCount: z.number().optional().describe('How many objects it was composed of.'),
  isDirectory: z.boolean().describe('True for a folder of the listing.'),
  kmsKeyName: optionalText().describe('The key that encrypts it.'),
  eventBasedHold: z.boolean().optional().describe('Whether an event-based hold is set.'),
  temporaryHold: z.boolean().optional().describe('Whether a temporary hold is set.'),
  retentionExpirationTime: optionalText().describe('When the retention ends.'),
});
export type Blob = z.infer<typeof blobOutput>;

/** An object of the listing. `version` differs when content or metadata have changed. */
export interface Listed {
  readonly blob: Blob;
  readonly generation: string;
  readonly version: string;
}

function toListed(json: Json): Listed {
  const place = { bucket: textAt(json, 'bucket') ?? '', name: textAt(json, 'name') ?? '' };
  // `as`: Google's metadata is a map of texts.
  const metadata = json.metadata as Record<string, string> | undefined;
  const generation = textAt(json, 'generation') ?? '';
  return {
    generation,
    version: `${generation}_${textAt(json, 'metageneration') ?? ''}`,
    blob: dropMissing({
      uri: uriOf(place),
      ...place,
      generatedId: textAt(json, 'id'),
      selfLink: textAt(json, 'selfLink'),
      cacheControl: textAt(json, 'cacheControl'),
      size: numberAt(json, 'size'),
      etag: textAt(json, 'etag'),
      md5: textAt(json, 'md5Hash'),
      crc32c: textAt(json, 'crc32c'),
      customTime: textAt(json, 'customTime'),
      mediaLink: textAt(json, 'mediaLink'),
      metadata,
      metaGeneration: numberAt(json, 'metageneration'),
      deleteTime: textAt(json, 'timeDeleted'),
      updateTime: textAt(json, 'updated'),
      createTime: textAt(json, 'timeCreated'),
      contentType: textAt(json, 'contentType'),
      contentEncoding: textAt(json, 'contentEncoding'),
      contentDisposition: textAt(json, 'contentDisposition'),
      contentLanguage: textAt(json, 'contentLanguage'),
      timeStorageClassUpdated: textAt(json, 'timeStorageClassUpdated'),
      componentCount: numberAt(json, 'componentCount'),
      isDirectory: false,
      kmsKeyName: textAt(json, 'kmsKeyName'),
      eventBasedHold: flagAt(json, 'eventBasedHold'),
      temporaryHold: flagAt(json, 'temporaryHold'),
      retentionExpirationTime: textAt(json, 'retentionExpirationTime'),
    }),
  };
}

const toFolder = (bucket: string, name: string): Listed => ({
  generation: '',
  version: '',
  blob: { uri: uriOf({ bucket, name }), bucket, name, isDirectory: true },
});

export const filterProperty = () =>
  choice(['FILES', 'DIRECTORY', 'BOTH'])
    .default('BOTH')
    .describe('Which entries count: objects, folders or both.');

export const listProperties = {
  from: text().describe('The bucket and prefix, such as `gs://bucket/folder/`. A folder ends with a slash.'),
  listingType: choice(['RECURSIVE', 'DIRECTORY'])
    .default('DIRECTORY')
    .describe('Only the entries of this folder (`DIRECTORY`), or everything below it (`RECURSIVE`).'),
  regExp: text()
    .optional()
    .describe('Only entries whose whole address matches this regular expression, such as `gs://.*\\.csv`.'),
};
export const allVersionsProperty = () => flag().optional().describe('Also list versions that were replaced.');
export const maxFilesProperty = () =>
  integer({ min: 1 }).default(25).describe('The most entries that are taken.');

export interface ListInput {
  readonly from: string;
  readonly listingType: 'RECURSIVE' | 'DIRECTORY';
  readonly regExp?: string | undefined;
  readonly allVersions?: boolean | undefined;
  readonly filter?: 'FILES' | 'DIRECTORY' | 'BOTH';
}

/** The entries that match, page by page. */
export async function* listObjects(google: Google, input: ListInput): AsyncGenerator<Listed> {
  const { bucket, name: prefix } = parsePlace(input.from, 'from');
  const { filter = 'BOTH' } = input;
  const matches = uriMatcher(input.regExp);
  const pages = google.pages({
    url: `${bucketUrl(bucket)}/o`,
    query: {
      ...(prefix !== '' && { prefix }),
      ...(input.listingType === 'DIRECTORY' && { delimiter: '/' }),
      ...(input.allVersions && { versions: true }),
    },
  });
  for await (const page of pages) {
    const folders = textsAt(page, 'prefixes').map((name) => toFolder(bucket, name));
    const objects = mapsAt(page, 'items').map(toListed);
    for (const entry of [...(filter === 'FILES' ? [] : folders), ...(filter === 'DIRECTORY' ? [] : objects)])
      if (matches(entry.blob.uri)) yield entry;
  }
}

export async function takeObjects(
  google: Google,
  input: ListInput,
  most: number,
): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  for await (const entry of listObjects(google, input)) {
    found.push(entry);
    if (found.length >= most) break;
  }
  return found;
}

function uriMatcher(regExp: string | undefined): (uri: string) => boolean {
  if (regExp === undefined || regExp === '') return () => true;
  try {
    const regex = compileRegex(regExp);
    return (uri) => regex.matches(uri);
  } catch (error) {
    throw new TaskFailed(`"regExp" is not a regular expression: ${String(error)}`, { retry: false });
  }
}

export const findObject = async (google: Google, place: Place): Promise<Listed> =>
  toListed(await google.get(objectUrl(place)));

/** False when there was no such object. */
export async function deleteObject(google: Google, place: Place, generation?: string): Promise<boolean> {
  const { status } = await google.json({
    url: objectUrl(place),
    method: 'DELETE',
    query: { generation },
    allow: [404],
  });
  return status !== 404;
}

/** Copies within Cloud Storage; large objects take several calls. */
export async function copyObject(google: Google, from: Place, to: Place): Promise<Json> {
  let rewriteToken: string | undefined;
  for (;;) {
    const { body } = await google.json({
      url: `${objectUrl(from)}/rewriteTo/b/${segment(to.bucket)}/o/${segment(to.name)}`,
      method: 'POST',
      query: { rewriteToken },
      idempotent: true,
    });
    if (flagAt(body, 'done') === true) return mapAt(body, 'resource');
    rewriteToken = textAt(body, 'rewriteToken');
  }
}

export interface Sums {
  readonly md5: string;
  readonly crc32c: string;
}

/** Passes the content on and computes its checksums; `sums` holds them at the end. */
export function withSums(content: AsyncIterable<Uint8Array>): {
  readonly content: AsyncIterable<Uint8Array>;
  readonly sums: () => Sums;
} {
  const md5 = createHash('md5');
  const crc = new Crc32c();
  let sums: Sums | undefined;
  return {
    sums: () => {
      sums ??= { md5: md5.digest('base64'), crc32c: crc.digest() };
      return sums;
    },
    content: (async function* () {
      for await (const chunk of content) {
        md5.update(chunk);
        crc.update(chunk);
        yield chunk;
      }
    })(),
  };
}
