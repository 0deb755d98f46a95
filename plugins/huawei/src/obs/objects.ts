import { createHash } from 'node:crypto';
import {
  disposeOf,
  downloadObject,
  listObjects,
  readText,
  type S3,
  type S3Entry,
} from '@millrace/plugin-aws/compatible';
import {
  batchesOf,
  collect,
  dropMissing,
  findElements,
  integer,
  part,
  readXml,
  TaskFailed,
  text,
  textAt,
  toXml,
} from '@millrace/plugin-kit';
import { may, need, type Property } from '@millrace/plugin-saas/rest';

export const bucket = need.text('The name of the bucket.');

/** Which objects of a bucket. */
export const listProperties = {
  prefix: may.text('Only objects whose key starts with this text.'),
  delimiter: may.text(
    'Usually `/`: objects below are shown as one folder, a key that ends with the delimiter.',
  ),
  marker: may.text('Only objects whose key comes after this one.'),
  maxKeys: {
    schema: () =>
      integer({ min: 1, max: 1000 })
        .default(1000)
        .describe('How many objects a single request lists; further requests list the rest.'),
  } satisfies Property<number>,
  regexp: may.text('Only objects whose whole key matches this regular expression.'),
};

export const moveTo: Property<MoveTo | undefined> = {
  schema: () =>
    part({
      bucket: text().optional().describe('The bucket; the same when absent.'),
      keyPrefix: text().optional().describe('The folder: an object keeps its name below it.'),
    })
      .optional()
      .describe('Where `MOVE` puts the objects.'),
};

interface MoveTo {
  readonly bucket?: string | undefined;
  readonly keyPrefix?: string | undefined;
}

export const objectFields = '`key`, `etag`, `size`, `lastModified`, `owner` and `uri`';

export const toObject = (entry: S3Entry, uri: string) =>
  dropMissing({
    key: entry.key,
    etag: entry.etag,
    size: entry.size,
    lastModified: entry.lastModified?.toISOString(),
    owner: entry.owner?.id ?? entry.owner?.displayName,
    uri,
  });

export interface Choice {
  readonly bucket: string;
  readonly prefix?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly marker?: string | undefined;
  readonly maxKeys: number;
  readonly regexp?: string | undefined;
}

/** Files only: folders have no content. */
export const filesOf = async (obs: S3, choice: Choice): Promise<S3Entry[]> =>
  (await collect(listObjects(obs, { ...choice, filter: 'FILES', usesMarkers: true }))).filter(
    ({ isFolder }) => !isFolder,
  );

export interface Disposal {
  readonly action: 'NONE' | 'DELETE' | 'MOVE';
  readonly moveTo?: MoveTo | undefined;
}

export async function storeObjects(obs: S3, bucketName: string, entries: readonly S3Entry[]) {
  const objects: ReturnType<typeof toObject>[] = [];
  const outputFiles: Record<string, string> = {};
  for (const entry of entries) {
    const { uri } = await downloadObject(obs, { bucket: bucketName, key: entry.key });
    objects.push(toObject(entry, uri));
    outputFiles[entry.key] = uri;
  }
  return { objects, outputFiles };
}

/** Moves or deletes objects that were stored. */
export async function disposeAll(
  obs: S3,
  bucketName: string,
  entries: readonly S3Entry[],
  { action, moveTo: target }: Disposal,
): Promise<void> {
  const to = { bucket: target?.bucket, key: target?.keyPrefix };
  for (const { key } of entries) await disposeOf(obs, { bucket: bucketName, key }, action, to);
}

export function checkMove({ action, moveTo: target }: Disposal): void {
  if (action === 'MOVE' && target?.bucket === undefined && target?.keyPrefix === undefined)
    throw new TaskFailed('"moveTo" must be given when "action" is MOVE.', { retry: false });
}

export async function downloadAll(obs: S3, input: Choice & Disposal) {
  checkMove(input);
  const entries = await filesOf(obs, input);
  const stored = await storeObjects(obs, input.bucket, entries);
  await disposeAll(obs, input.bucket, entries, input);
  return stored;
}

interface DeleteInput extends Choice {
  readonly errorOnEmpty: boolean;
  readonly errorOnFailure: boolean;
}

export async function deleteAll(obs: S3, input: DeleteInput) {
  let [count, size, errors, reason] = [0, 0, 0, ''];
  const entries = listObjects(obs, { ...input, filter: 'FILES', usesMarkers: true });
  for await (const batch of batchesOf(entries, {
    count: 1000,
    bytes: 1_048_576,
    sizeOf: ({ key }) => key.length,
  })) {
    const failed = await deleteBatch(obs, input.bucket, batch);
    for (const { key, size: bytes } of batch) {
      const failure = failed.get(key);
      if (failure === undefined) {
        count++;
        size += bytes;
      } else {
        errors++;
        reason ||= `"${key}": ${failure}`;
      }
    }
  }
  if (count + errors === 0 && input.errorOnEmpty)
    throw new TaskFailed('There are no objects to delete.', { retry: false });
  const outputs = { count, size, errors };
  if (errors > 0 && input.errorOnFailure)
    throw new TaskFailed(`${errors} objects could not be deleted, such as ${reason}`, { outputs });
  return outputs;
}

/** Returns the messages of the objects that could not be deleted, by key. */
async function deleteBatch(
  obs: S3,
  bucketName: string,
  entries: readonly S3Entry[],
): Promise<Map<string, string>> {
  const objects = entries.map(({ key }) => `<Object>${toXml('Key', key)}</Object>`).join('');
  const body = `<Delete><Quiet>true</Quiet>${objects}</Delete>`;
  const response = await obs.call({
    action: `DeleteObjects in "${bucketName}"`,
    method: 'POST',
    bucket: bucketName,
    query: { delete: '' },
    headers: {
      'content-md5': createHash('md5').update(body).digest('base64'),
      'content-type': 'application/xml',
    },
    body,
  });
  const xml = await readXml(await readText(response));
  return new Map(
    findElements(xml, 'Error').map((error) => [textAt(error, 'Key') ?? '', textAt(error, 'Message') ?? '']),
  );
}
