import { createHash, randomUUID } from 'node:crypto';
import { dropMissing, type OutboundResponse } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type ChecksumInput, checkedContent } from '../blob/blobs.ts';
import { blockBytes, blocksOf } from '../client/blocks.ts';
import { readJson, readText } from '../client/http.ts';
import { encodePath, type Storage } from '../client/storage.ts';

/** A file or directory of a file system (container) with a hierarchical namespace. */
interface LakePath {
  readonly fileSystem: string;
  readonly filePath: string;
}

export const lakeFile = z.object({
  uri: z
    .string()
    .describe('The file in internal storage, or the address of the file when it was not downloaded.'),
  fileSystem: z.string().describe('The file system.'),
  name: z.string().describe('The path in the file system.'),
  fileName: z.string().describe('The last part of the path.'),
  size: z.number().describe('The size in bytes.'),
  isDirectory: z.boolean().describe('Whether it is a directory.'),
  eTag: z.string().optional().describe('The entity tag, which changes with the content.'),
  lastModified: z.string().optional().describe('When the file was written.'),
  lastModifed: z.string().optional().describe('The same, under the name that flows for Kestra use.'),
  creationTime: z.string().optional().describe('When the file was created.'),
  contentType: z.string().optional().describe('The media type.'),
  contentEncoding: z.string().optional().describe('The content encoding.'),
  contentLanguage: z.string().optional().describe('The content language.'),
  contentMd5: z.string().optional().describe('The MD5 checksum in base64.'),
  leaseState: z.string().optional().describe('The state of the lease.'),
  leaseDuration: z.string().optional().describe('The kind of the lease.'),
  leaseStatus: z.string().optional().describe('Whether the file is locked.'),
  archiveStatus: z.string().optional().describe('The progress of a move out of the archive.'),
  archiveTier: z.string().optional().describe('The access tier.'),
  owner: z.string().optional().describe('The owner.'),
  group: z.string().optional().describe('The owning group.'),
  permissions: z.string().optional().describe('The permissions, such as `rw-r-----`.'),
  accessControlList: z.array(z.string()).optional().describe('The entries of the access control list.'),
});
export type LakeFile = z.infer<typeof lakeFile>;

const trimmed = (path: string) => path.replace(/^\/+|\/+$/g, '');
const dateOf = (text: string | undefined): string | undefined =>
  text === undefined || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString();

const labelOf = ({ fileSystem, filePath }: LakePath): string => `"${fileSystem}/${trimmed(filePath)}"`;

const urlOf = (
  storage: Storage,
  { fileSystem, filePath }: LakePath,
  query?: Readonly<Record<string, string | undefined>>,
) => storage.url(encodePath(fileSystem, trimmed(filePath)), query);

/** The address as Hadoop and Spark write it. */
const addressOf = (storage: Storage, { fileSystem, filePath }: LakePath): string =>
  `abfss://${fileSystem}@${new URL(storage.base).host}/${trimmed(filePath)}`;

const nameParts = ({ fileSystem, filePath }: LakePath) => ({
  fileSystem,
  name: trimmed(filePath),
  fileName: trimmed(filePath).split('/').at(-1) ?? '',
});

function fromHeaders(path: LakePath, uri: string, { headers }: OutboundResponse): LakeFile {
  const header = (name: string) => headers[name]?.[0];
  const lastModified = dateOf(header('last-modified'));
  return {
    uri,
    ...nameParts(path),
    size: Number(header('content-length') ?? 0),
    isDirectory: header('x-ms-resource-type') === 'directory',
    ...dropMissing({
      eTag: header('etag')?.replaceAll('"', ''),
      lastModified,
      lastModifed: lastModified,
      creationTime: dateOf(header('x-ms-creation-time')),
      contentType: header('content-type'),
      contentEncoding: header('content-encoding'),
      contentLanguage: header('content-language'),
      contentMd5: header('content-md5'),
      leaseState: header('x-ms-lease-state'),
      leaseDuration: header('x-ms-lease-duration'),
      leaseStatus: header('x-ms-lease-status'),
      archiveStatus: header('x-ms-archive-status'),
      archiveTier: header('x-ms-access-tier'),
      owner: header('x-ms-owner'),
      group: header('x-ms-group'),
      permissions: header('x-ms-permissions'),
      accessControlList: header('x-ms-acl')?.split(','),
    }),
  };
}

export async function readProperties(storage: Storage, path: LakePath): Promise<LakeFile> {
  const response = await storage.send({
    action: `the properties of ${labelOf(path)}`,
    method: 'HEAD',
    url: urlOf(storage, path),
  });
  await readText(response);
  return fromHeaders(path, addressOf(storage, path), response);
}

/** Streams a file to internal storage. */
export async function downloadFile(
  storage: Storage,
  path: LakePath,
  checks: ChecksumInput = {},
): Promise<LakeFile> {
  const response = await storage.send({
    action: `the download of ${labelOf(path)}`,
    method: 'GET',
    url: urlOf(storage, path),
  });
  const { fileName } = nameParts(path);
  const content = checkedContent(response.body, fileName, response.headers['content-md5']?.[0], checks);
  return fromHeaders(path, await storage.context.files.put(fileName || 'file', content), response);
}

const Page = z.object({
  paths: z
    .array(
      z.looseObject({
        name: z.string(),
        isDirectory: z.union([z.string(), z.boolean()]).nullish(),
        contentLength: z.coerce.number().nullish(),
        lastModified: z.string().nullish(),
        etag: z.string().nullish(),
        owner: z.string().nullish(),
        group: z.string().nullish(),
        permissions: z.string().nullish(),
      }),
    )
    .default([]),
});

/** The entries of a directory in the order of their names, without those of its subdirectories. */
export async function* listFiles(
  storage: Storage,
  fileSystem: string,
  directoryPath: string,
): AsyncGenerator<LakeFile, void, undefined> {
  const directory = trimmed(directoryPath) || undefined;
  for (let continuation: string | undefined; ; ) {
    const query = { resource: 'filesystem', recursive: 'false', directory, continuation };
    const response = await storage.send({
      action: `the list of ${labelOf({ fileSystem, filePath: directoryPath })}`,
      method: 'GET',
      url: storage.url(encodePath(fileSystem), query),
    });
    continuation = response.headers['x-ms-continuation']?.[0] || undefined;
    for (const each of (await readJson(response, Page)).paths) {
      const path = { fileSystem, filePath: each.name };
      const lastModified = dateOf(each.lastModified ?? undefined);
      yield {
        uri: addressOf(storage, path),
        ...nameParts(path),
        size: each.contentLength ?? 0,
        isDirectory: String(each.isDirectory) === 'true',
        ...dropMissing({
          eTag: each.etag?.replaceAll('"', ''),
          lastModified,
          lastModifed: lastModified,
          owner: each.owner,
          group: each.group,
          permissions: each.permissions,
        }),
      };
    }
    if (continuation === undefined) return;
  }
}

export async function* onlyFiles(entries: AsyncIterable<LakeFile>): AsyncGenerator<LakeFile> {
  for await (const entry of entries) if (!entry.isDirectory) yield entry;
}

export const pathOf = ({ fileSystem, name }: LakeFile): LakePath => ({ fileSystem, filePath: name });

/** Sends a request for a path and waits for its end; returns the response headers. */
export async function change(
  storage: Storage,
  path: LakePath,
  request: {
    readonly action: string;
    readonly method: string;
    readonly query?: Readonly<Record<string, string | undefined>>;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly body?: string | Uint8Array;
    readonly accept?: readonly number[];
  },
): Promise<OutboundResponse> {
  const { query, action, ...rest } = request;
  const response = await storage.send({
    ...rest,
    action: `${action} ${labelOf(path)}`,
    url: urlOf(storage, path, query),
  });
  await readText(response);
  return response;
}

export const deleteFile = (storage: Storage, path: LakePath) =>
  change(storage, path, { action: 'the deletion of', method: 'DELETE' });

/** Moves a file into a directory, which is created when it does not exist. */
export async function moveFile(
  storage: Storage,
  from: LakePath,
  { fileSystem, directoryPath }: { readonly fileSystem: string; readonly directoryPath: string },
): Promise<void> {
  const directory = { fileSystem, filePath: directoryPath };
  const to = { fileSystem, filePath: `${trimmed(directoryPath)}/${nameParts(from).fileName}` };
  if (labelOf(from) === labelOf(to)) return;
  if (trimmed(directoryPath) !== '')
    await change(storage, directory, {
      action: 'the directory',
      method: 'PUT',
      query: { resource: 'directory' },
      headers: { 'if-none-match': '*' },
      accept: [409, 412],
    });
  const source = storage.readable(encodePath(from.fileSystem, trimmed(from.filePath)));
  const headers = { 'x-ms-rename-source': source };
  await change(storage, to, { action: 'the move to', method: 'PUT', headers });
}

type LeaseAction = 'ACQUIRE' | 'RENEW' | 'RELEASE' | 'BREAK';

/** The id of the lease; absent when the service returns none. */
export async function lease(
  storage: Storage,
  path: LakePath,
  action: LeaseAction,
  { leaseId, seconds }: { readonly leaseId?: string | undefined; readonly seconds?: number },
): Promise<string | undefined> {
  const isNew = action === 'ACQUIRE';
  const response = await change(storage, path, {
    action: `the lease (${action}) of`,
    method: 'POST',
    headers: {
      'x-ms-lease-action': action.toLowerCase(),
      'x-ms-lease-duration': isNew ? String(seconds ?? -1) : undefined,
      'x-ms-proposed-lease-id': isNew ? (leaseId ?? randomUUID()) : undefined,
      'x-ms-lease-id': isNew || action === 'BREAK' ? undefined : leaseId,
    },
  });
  return response.headers['x-ms-lease-id']?.[0];
}

interface UploadOptions {
  readonly validateChecksum?: boolean | undefined;
  readonly useLease?: boolean | undefined;
  readonly leaseSeconds?: number | undefined;
}

/** Replaces a file. The new content is visible after the last request, never in part. */
export async function uploadFile(
  storage: Storage,
  path: LakePath,
  content: AsyncIterable<Uint8Array>,
  { validateChecksum, useLease, leaseSeconds = 60 }: UploadOptions,
): Promise<number> {
  const action = 'the upload of';
  await change(storage, path, { action, method: 'PUT', query: { resource: 'file' } });
  const leaseId = useLease ? await lease(storage, path, 'ACQUIRE', { seconds: leaseSeconds }) : undefined;
  const headers = { 'x-ms-lease-id': leaseId };
  let renewedAt = Date.now();
  const whole = createHash('md5');
  let position = 0;
  try {
    for await (const block of blocksOf(content)) {
      if (leaseId !== undefined && leaseSeconds > 0 && Date.now() - renewedAt > leaseSeconds * 500) {
        await lease(storage, path, 'RENEW', { leaseId });
        renewedAt = Date.now();
      }
      const md5 = validateChecksum ? createHash('md5').update(block).digest('base64') : undefined;
      await append(storage, path, { position, block, headers: { ...headers, 'content-md5': md5 } });
      whole.update(block);
      position += block.length;
    }
    await flush(storage, path, position, { ...headers, 'x-ms-content-md5': whole.digest('base64') });
  } catch (error) {
    if (leaseId !== undefined)
      await lease(storage.forCleanup(), path, 'RELEASE', { leaseId }).catch(() => {});
    throw error;
  }
  if (leaseId !== undefined) await lease(storage, path, 'RELEASE', { leaseId });
  return position;
}

type Headers = Readonly<Record<string, string | undefined>>;

const append = (
  storage: Storage,
  path: LakePath,
  {
    position,
    block,
    headers,
  }: { readonly position: number; readonly block: Uint8Array; readonly headers?: Headers },
) =>
  change(storage, path, {
    action: 'the data for',
    method: 'PATCH',
    query: { action: 'append', position: String(position) },
    body: block,
    ...(headers && { headers }),
  });

const flush = (storage: Storage, path: LakePath, position: number, headers: Headers = {}) =>
  change(storage, path, {
    action: 'the end of the data for',
    method: 'PATCH',
    query: { action: 'flush', position: String(position) },
    headers,
  });

/** Adds data at the end of a file; returns the new size. */
export async function appendData(storage: Storage, path: LakePath, data: Uint8Array): Promise<number> {
  let { size: position } = await readProperties(storage, path);
  for (let at = 0; at < data.length; at += blockBytes) {
    const block = data.subarray(at, at + blockBytes);
    await append(storage, path, { position, block });
    position += block.length;
  }
  if (data.length > 0) await flush(storage, path, position);
  return position;
}
