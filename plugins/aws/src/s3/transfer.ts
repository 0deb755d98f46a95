import {
  type Change,
  collect,
  type FileSource,
  inParallel,
  openTriggerState,
  readFileSources,
  type TaskContext,
  TaskFailed,
  type TriggerContext,
  type TriggerStateInput,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type ListInput, listObjects, type S3Entry } from './listObjects.ts';
import {
  type Action,
  addressOf,
  disposeOf,
  downloadObject,
  type FileInfo,
  fileInfo,
  known,
  type MoveTo,
  type ObjectOutput,
  objectOutput,
  toObjectOutput,
} from './objects.ts';
import type { S3 } from './s3.ts';
import { type Upload, uploadObject } from './upload.ts';

export const uploadOutput = {
  bucket: z.string().describe('The bucket.'),
  key: z.string().describe('The key.'),
  eTag: z.string().optional().describe('The entity tag of a single file.'),
  versionId: z.string().optional().describe('The version of a single file, in a bucket that keeps versions.'),
  files: z
    .record(z.string(), z.object(fileInfo))
    .optional()
    .describe('With several files: what was stored, by name.'),
};

type UploadOptions = Omit<Upload, 'content' | 'key'> & {
  readonly key?: string | undefined;
  readonly from: unknown;
  readonly concurrency: number;
};

/** Uploads one file under the key, or several below it. */
export async function uploadFiles(s3: S3, { from, concurrency, key = '', ...options }: UploadOptions) {
  const { context } = s3;
  const sources = readFileSources(from);
  if (sources.length === 0) throw new TaskFailed('"from" names no file.', { retry: false });
  const folder = key.replace(/\/+$/, '');
  const isSingle = sources.length === 1;
  const keyOf = ({ name }: FileSource) =>
    isSingle && folder !== '' ? key : folder === '' ? name : `${folder}/${name}`;
  const files: Record<string, FileInfo> = {};
  await inParallel(sources, concurrency, async (source) => {
    const content = await context.files.read(source.uri);
    const done = await uploadObject(s3, { ...options, key: keyOf(source), content });
    files[source.name] = {
      contentLength: done.sizeBytes,
      ...known('eTag', done.eTag),
      ...known('versionId', done.versionId),
    };
    context.metric({ name: 'file.size', type: 'counter', value: done.sizeBytes });
  });
  context.metric({ name: 'file.count', type: 'counter', value: sources.length });
  const [first] = sources;
  if (!isSingle || !first) return { bucket: options.bucket, key, files };
  const { eTag, versionId } = files[first.name] ?? {};
  return {
    bucket: options.bucket,
    key: keyOf(first),
    ...known('eTag', eTag),
    ...known('versionId', versionId),
  };
}

export interface DownloadsInput extends ListInput {
  readonly action: Action;
  readonly moveTo?: MoveTo | undefined;
  readonly validateChecksum?: boolean | undefined;
}

export const downloadsOutput = {
  objects: z.array(objectOutput).describe('The objects that were stored.'),
  outputFiles: z.record(z.string(), z.string()).describe('The stored files by key.'),
};

/** Downloads all objects before the first is moved or deleted, so a failure loses none. */
export async function downloadAll(
  s3: S3,
  input: DownloadsInput,
  limit: number | undefined,
  moveHeaders: Readonly<Record<string, string | undefined>> = {},
) {
  const { action, moveTo, ...list } = input;
  const entries = await collect(files(listObjects(s3, list)), limit);
  const objects: ObjectOutput[] = [];
  for (const entry of entries) objects.push(await store(s3, input, entry));
  for (const { key } of entries)
    await disposeOf(s3, { bucket: input.bucket, key }, action, moveTo, moveHeaders);
  return {
    objects,
    outputFiles: Object.fromEntries(objects.map(({ key, uri }) => [key, uri])),
  };
}

/** Folders have no content. */
async function* files(entries: AsyncIterable<S3Entry>): AsyncGenerator<S3Entry> {
  for await (const entry of entries) if (!entry.isFolder) yield entry;
}

async function store(
  s3: S3,
  { bucket, validateChecksum, expectedBucketOwner, requestPayer }: DownloadsInput,
  entry: S3Entry,
): Promise<ObjectOutput> {
  const { key } = entry;
  const info = await downloadObject(s3, { bucket, key, validateChecksum, expectedBucketOwner, requestPayer });
  return { ...toObjectOutput(entry, info.uri), ...known('checksumValue', info.checksumValue) };
}

export const triggerOutput = () =>
  z.object({
    objects: z
      .array(
        z.object({
          ...objectOutput.shape,
          object: objectOutput.describe('The same fields, under the name that flows for Kestra use.'),
          changeType: z.enum(['CREATE', 'UPDATE']).describe('Whether the object is new or has changed.'),
        }),
      )
      .describe('The objects that were stored.'),
  });

interface PollInput extends DownloadsInput {
  readonly state: TriggerStateInput;
  readonly limit?: number | undefined;
  readonly moveHeaders?: Readonly<Record<string, string | undefined>>;
}

/**
 * One poll of a trigger. With `NONE` it remembers the objects it has seen. With `MOVE` and `DELETE` every object counts,
 * and it is touched only after its execution is stored: a server that crashes before finds it again.
 */
export async function pollObjects(context: TriggerContext, s3: S3, input: PollInput) {
  const { action, moveTo, state: options, limit, moveHeaders, ...list } = input;
  const candidates = files(listObjects(s3, list));
  const state = action === 'NONE' ? await openTriggerState(context, options) : undefined;
  const changes: Pick<Change<Found>, 'candidate' | 'changeType'>[] = state
    ? state.changes(
        (await collect(candidates)).map((entry) => toFound(input.bucket, entry)),
        limit,
      )
    : (await collect(candidates, limit)).map((entry) => ({
        candidate: toFound(input.bucket, entry),
        changeType: 'CREATE',
      }));
  const objects = [];
  for (const { candidate, changeType } of changes) {
    const object = await store(s3, input, candidate.entry);
    objects.push({ ...object, object, changeType });
  }
  await state?.save();
  if (objects.length === 0) return undefined;
  if (action === 'NONE') return { objects };
  // Objects that are found again because they could not be moved start nothing.
  const key = changes.map(({ candidate: { uri, version } }) => `${uri} ${version}`).join('\n');
  await context.emit({ objects }, { key });
  for (const { candidate } of changes) {
    const place = { bucket: input.bucket, key: candidate.entry.key };
    await disposeOf(s3, place, action, moveTo, moveHeaders);
  }
  return undefined;
}

interface Found {
  readonly uri: string;
  readonly version: string;
  readonly modifiedAt?: Date | undefined;
  readonly entry: S3Entry;
}

const toFound = (bucket: string, entry: S3Entry): Found => ({
  uri: addressOf({ bucket, key: entry.key }),
  version: entry.etag ?? `${entry.lastModified?.getTime()}_${entry.size}`,
  modifiedAt: entry.lastModified,
  entry,
});

/** Deletes the objects; returns their number and size. */
export async function deleteAll(
  context: TaskContext,
  entries: AsyncIterable<S3Entry>,
  { concurrent = 1, errorOnEmpty }: { concurrent?: number | undefined; errorOnEmpty: boolean },
  deleteKeys: (keys: readonly string[]) => Promise<void>,
): Promise<{ count: number; size: number }> {
  let [count, size] = [0, 0];
  let batch: string[] = [];
  let batches: string[][] = [];
  const flush = async () => {
    const chosen = [...batches, ...(batch.length > 0 ? [batch] : [])];
    [batch, batches] = [[], []];
    await inParallel(chosen, concurrent, deleteKeys);
  };
  for await (const entry of entries) {
    context.signal.throwIfAborted();
    count++;
    size += entry.size;
    batch.push(entry.key);
    if (batch.length < 1000) continue;
    batches.push(batch);
    batch = [];
    if (batches.length >= concurrent) await flush();
  }
  await flush();
  if (count === 0 && errorOnEmpty) throw new TaskFailed('There are no objects to delete.', { retry: false });
  return { count, size };
}
