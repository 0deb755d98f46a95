import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createFullMatcher,
  findElement,
  findElements,
  readXml,
  TaskFailed,
  textAt,
  toXml,
  type XmlElement,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { blocksOf } from '../client/blocks.ts';
import { readText } from '../client/http.ts';
import { encodePath, type Storage } from '../client/storage.ts';

export interface Place {
  readonly container: string;
  readonly name: string;
}

export interface BlobEntry extends Place {
  readonly isFolder: boolean;
  readonly size: number;
  readonly eTag?: string | undefined;
  readonly lastModified?: Date | undefined;
}

export const blobOutput = z.object({
  uri: z
    .string()
    .describe('The file in internal storage, or the address of the blob when it was not downloaded.'),
  container: z.string().describe('The container.'),
  name: z.string().describe('The name.'),
  size: z.number().describe('The size in bytes.'),
  lastModified: z.string().optional().describe('When the blob was written.'),
  eTag: z.string().optional().describe('The entity tag, which changes with the content.'),
});
export type BlobOutput = z.infer<typeof blobOutput>;

export const toBlobOutput = (entry: BlobEntry, uri: string): BlobOutput => ({
  uri,
  container: entry.container,
  name: entry.name,
  size: entry.size,
  ...(entry.lastModified && { lastModified: entry.lastModified.toISOString() }),
  ...(entry.eTag !== undefined && { eTag: entry.eTag }),
});

const blobUrl = (
  storage: Storage,
  { container, name }: Place,
  query?: Readonly<Record<string, string | undefined>>,
) => storage.url(encodePath(container, name), query);

export interface ListInput {
  readonly container: string;
  readonly prefix?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly regexp?: string | undefined;
  readonly filter: 'FILES' | 'DIRECTORY' | 'BOTH';
}

/** Blobs of a container in the order of their names. With a delimiter, folders instead of their content. */
export async function* listBlobs(
  storage: Storage,
  input: ListInput,
): AsyncGenerator<BlobEntry, void, undefined> {
  const matches = createFullMatcher(input.regexp, 'regexp');
  for (let marker: string | undefined; ; ) {
    const query = {
      restype: 'container',
      comp: 'list',
      prefix: input.prefix,
      delimiter: input.delimiter,
      marker,
    };
    const response = await storage.send({
      action: `the list of "${input.container}"`,
      method: 'GET',
      url: storage.url(encodePath(input.container), query),
    });
    const xml = await readXml(await readText(response));
    const list = findElement(xml, 'Blobs');
    const entries = [
      ...findElements(list, 'Blob').map((element) => toEntry(input.container, element)),
      ...findElements(list, 'BlobPrefix').map((element) => ({
        container: input.container,
        name: textAt(element, 'Name') ?? '',
        isFolder: true,
        size: 0,
      })),
    ];
    for (const entry of entries) {
      const isWanted = input.filter === 'BOTH' || (input.filter === 'DIRECTORY') === entry.isFolder;
      if (isWanted && matches(entry.name)) yield entry;
    }
    marker = textAt(xml, 'NextMarker') || undefined;
    if (marker === undefined) return;
  }
}

function toEntry(container: string, element: XmlElement): BlobEntry {
  const name = textAt(element, 'Name') ?? '';
  const modified = textAt(element, 'Properties', 'Last-Modified');
  return {
    container,
    name,
    isFolder: name.endsWith('/'),
    size: Number(textAt(element, 'Properties', 'Content-Length') ?? 0),
    eTag: textAt(element, 'Properties', 'Etag')?.replaceAll('"', ''),
    lastModified: modified === undefined ? undefined : new Date(modified),
  };
}

/** The properties of one blob. */
export async function readBlob(storage: Storage, place: Place): Promise<BlobEntry> {
  const response = await storage.send({
    action: `the properties of "${place.container}/${place.name}"`,
    method: 'HEAD',
    url: blobUrl(storage, place),
  });
  await readText(response);
  const header = (name: string) => response.headers[name]?.[0];
  const modified = header('last-modified');
  return {
    ...place,
    isFolder: false,
    size: Number(header('content-length') ?? 0),
    eTag: header('etag')?.replaceAll('"', ''),
    lastModified: modified === undefined ? undefined : new Date(modified),
  };
}

export interface ChecksumInput {
  readonly validateChecksum?: boolean | undefined;
  readonly failOnMissingChecksum?: boolean | undefined;
  readonly expectedChecksum?: string | undefined;
  readonly checksumAlgorithm?: 'MD5' | 'SHA_256' | undefined;
}

/** Streams a blob to internal storage. */
export async function downloadBlob(
  storage: Storage,
  place: Place,
  checks: ChecksumInput = {},
): Promise<BlobOutput> {
  const { context } = storage;
  const response = await storage.send({
    action: `the download of "${place.container}/${place.name}"`,
    method: 'GET',
    url: blobUrl(storage, place),
  });
  const header = (name: string) => response.headers[name]?.[0];
  const content = checkedContent(response.body, place.name, header('content-md5'), checks);
  const uri = await context.files.put(place.name.split('/').at(-1) || 'file', content);
  const modified = header('last-modified');
  return toBlobOutput(
    {
      ...place,
      isFolder: false,
      size: Number(header('content-length') ?? 0),
      eTag: header('etag')?.replaceAll('"', ''),
      lastModified: modified === undefined ? undefined : new Date(modified),
    },
    uri,
  );
}

/** The content of a blob as a stream. */
export async function readBlobContent(storage: Storage, place: Place): Promise<AsyncIterable<Uint8Array>> {
  const action = `the download of "${place.container}/${place.name}"`;
  const { body } = await storage.send({ action, method: 'GET', url: blobUrl(storage, place) });
  return body;
}

/** Content that fails at its end when its checksum differs from the service's or the task's. */
export function checkedContent(
  content: AsyncIterable<Uint8Array>,
  name: string,
  storedMd5: string | undefined,
  checks: ChecksumInput,
): AsyncIterable<Uint8Array> {
  const { validateChecksum, failOnMissingChecksum, expectedChecksum, checksumAlgorithm = 'MD5' } = checks;
  if (!validateChecksum && expectedChecksum === undefined) return content;
  const isOwn = expectedChecksum !== undefined;
  const expected = isOwn
    ? toHex(expectedChecksum)
    : storedMd5 && Buffer.from(storedMd5, 'base64').toString('hex');
  if (!expected) {
    if (!failOnMissingChecksum) return content;
    throw new TaskFailed(`"${name}" has no checksum to validate.`, { retry: false });
  }
  return checked(content, name, expected, isOwn && checksumAlgorithm === 'SHA_256' ? 'sha256' : 'md5');
}

const toHex = (text: string): string =>
  /^[0-9a-f]+$/i.test(text.trim()) ? text.trim().toLowerCase() : Buffer.from(text, 'base64').toString('hex');

async function* checked(
  content: AsyncIterable<Uint8Array>,
  name: string,
  expected: string,
  algorithm: string,
) {
  const hash = createHash(algorithm);
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  const found = hash.digest('hex');
  if (found !== expected)
    throw new TaskFailed(`The ${algorithm} checksum of "${name}" is ${found}, but ${expected} was expected.`);
}

export async function uploadBlob(
  storage: Storage,
  place: Place,
  content: AsyncIterable<Uint8Array>,
  headers: Readonly<Record<string, string | undefined>>,
  validateChecksum = false,
): Promise<number> {
  const whole = createHash('md5');
  const ids: string[] = [];
  let size = 0;
  const action = `the upload of "${place.container}/${place.name}"`;
  const blocks = blocksOf(content);
  const first = (await blocks.next()).value ?? new Uint8Array();
  let next = await blocks.next();
  if (next.done) {
    const md5 = validateChecksum ? createHash('md5').update(first).digest('base64') : undefined;
    const response = await storage.send({
      action,
      method: 'PUT',
      url: blobUrl(storage, place),
      headers: { ...headers, 'x-ms-blob-type': 'BlockBlob', 'content-md5': md5 },
      body: first,
    });
    await readText(response);
    return first.length;
  }
  for (let block: Uint8Array | undefined = first; block; next = await blocks.next()) {
    const id = Buffer.from(String(ids.length).padStart(6, '0')).toString('base64');
    whole.update(block);
    size += block.length;
    ids.push(id);
    const md5 = validateChecksum ? createHash('md5').update(block).digest('base64') : undefined;
    const url = blobUrl(storage, place, { comp: 'block', blockid: id });
    await readText(
      await storage.send({ action, method: 'PUT', url, headers: { 'content-md5': md5 }, body: block }),
    );
    block = next.done ? undefined : next.value;
    if (!block) break;
  }
  const list = ids.map((id) => toXml('Latest', id)).join('');
  const response = await storage.send({
    action,
    method: 'PUT',
    url: blobUrl(storage, place, { comp: 'blocklist' }),
    headers: {
      ...headers,
      'x-ms-blob-content-md5': whole.digest('base64'),
      'content-type': 'application/xml',
    },
    body: `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`,
  });
  await readText(response);
  return size;
}

export async function deleteBlob(storage: Storage, place: Place): Promise<void> {
  const response = await storage.send({
    action: `the deletion of "${place.container}/${place.name}"`,
    method: 'DELETE',
    url: blobUrl(storage, place),
    headers: { 'x-ms-delete-snapshots': 'include' },
  });
  await readText(response);
}

/** The service copies in the background; the call returns when it is done. */
export async function copyBlob(storage: Storage, from: Place, to: Place): Promise<void> {
  const action = `the copy from "${from.container}/${from.name}" to "${to.container}/${to.name}"`;
  const response = await storage.send({
    action,
    method: 'PUT',
    url: blobUrl(storage, to),
    headers: { 'x-ms-copy-source': storage.readable(blobUrl(storage, from)) },
  });
  await readText(response);
  for (let status = response.headers['x-ms-copy-status']?.[0]; status === 'pending'; ) {
    await delay(500, undefined, { signal: storage.context.signal });
    const head = await storage.send({ action, method: 'HEAD', url: blobUrl(storage, to) });
    await readText(head);
    status = head.headers['x-ms-copy-status']?.[0];
    if (status === 'failed' || status === 'aborted')
      throw new TaskFailed(
        `Blob Storage could not do ${action}: ${head.headers['x-ms-copy-status-description']?.[0]}`,
      );
  }
}

export const addressOf = ({ container, name }: Place): string => `az://${container}/${name}`;

export const placeOf = ({ container, name }: BlobEntry): Place => ({ container, name });

/** Moves or deletes a blob that was downloaded. A moved blob keeps its last name below the new one. */
export async function disposeOf(
  storage: Storage,
  place: Place,
  action: 'MOVE' | 'DELETE' | 'NONE',
  moveTo: { container: string; name: string } | undefined,
): Promise<void> {
  if (action === 'NONE') return;
  if (action === 'MOVE' && moveTo) {
    const folder = moveTo.name.replace(/\/+$/, '');
    const last = place.name.split('/').at(-1) ?? '';
    const to = { container: moveTo.container, name: folder === '' ? last : `${folder}/${last}` };
    if (to.container === place.container && to.name === place.name) return;
    await copyBlob(storage, place, to);
  }
  await deleteBlob(storage, place);
}

/** Folders have no content. */
export async function* filesOf(entries: AsyncIterable<BlobEntry>): AsyncGenerator<BlobEntry> {
  for await (const entry of entries) if (!entry.isFolder) yield entry;
}
