import { isStorageUri, type JsonMap, type TaskContext, TaskFailed, textOf } from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';

/** The path of an item; the root of a drive has a name instead of an id. */
export const itemPath = (drive: string, itemId = 'root'): string =>
  itemId === 'root' ? `${drive}/root` : `${drive}/items/${encodeURIComponent(itemId)}`;

/** The path of a file with this name inside of a folder. */
export const childPath = (drive: string, parentId: string | undefined, name: string): string =>
  `${itemPath(drive, parentId)}:/${name.split('/').map(encodeURIComponent).join('/')}:`;

/** Creates an empty folder, or a file with a text. */
export async function createItem(
  client: RestClient,
  drive: string,
  item: {
    parentId?: string | undefined;
    name: string;
    itemType: 'FILE' | 'FOLDER';
    content?: string | undefined;
  },
): Promise<JsonMap> {
  if (item.itemType === 'FOLDER')
    return client.ask({
      method: 'POST',
      path: `${itemPath(drive, item.parentId)}/children`,
      body: { name: item.name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' },
    });
  return client.ask({
    method: 'PUT',
    path: `${childPath(drive, item.parentId, item.name)}/content`,
    headers: { 'content-type': 'text/plain' },
    content: item.content ?? '',
  });
}

export interface Upload {
  readonly drive: string;
  readonly parentId?: string | undefined;
  readonly name: string;
  readonly from: string;
  readonly conflictBehavior: 'REPLACE' | 'FAIL' | 'RENAME';
  /** Files above this size are sent in slices. */
  readonly thresholdBytes: number;
  readonly sliceBytes: number;
  /** How often a slice is sent before the task fails. */
  readonly maxTries: number;
  readonly onProgress?: (bytes: number, size: number) => void;
}

/** Microsoft accepts slices only in multiples of this size. */
const sliceUnit = 320 * 1024;

/** Uploads a stored file: in one request when it is small, otherwise slice by slice, with one slice in memory. */
export async function uploadFile(context: TaskContext, client: RestClient, upload: Upload): Promise<JsonMap> {
  const size = isStorageUri(upload.from) ? await context.files.sizeOf(upload.from) : undefined;
  if (size === undefined)
    throw new TaskFailed(`"${upload.from}" is not a file of internal storage.`, { retry: false });
  const path = childPath(upload.drive, upload.parentId, upload.name);
  const behavior = upload.conflictBehavior.toLowerCase();
  if (size <= upload.thresholdBytes) {
    const stored = await client.ask({
      method: 'PUT',
      path: `${path}/content`,
      query: { '@microsoft.graph.conflictBehavior': behavior },
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
      content: await context.files.read(upload.from),
    });
    upload.onProgress?.(size, size);
    return stored;
  }
  const session = await client.ask({
    method: 'POST',
    path: `${path}/createUploadSession`,
    body: { item: { '@microsoft.graph.conflictBehavior': behavior } },
  });
  const address = textOf(session.uploadUrl) ?? '';
  context.masker.add(address);
  return sendSlices(context, client, upload, address, size);
}

async function sendSlices(
  context: TaskContext,
  client: RestClient,
  upload: Upload,
  address: string,
  size: number,
): Promise<JsonMap> {
  const sliceBytes = Math.max(sliceUnit, Math.floor(upload.sliceBytes / sliceUnit) * sliceUnit);
  let sent = 0;
  let last: JsonMap = {};
  for await (const slice of slices(await context.files.read(upload.from), sliceBytes)) {
    last = await sendSlice(client, upload.maxTries, address, slice, sent, size);
    sent += slice.length;
    upload.onProgress?.(sent, size);
  }
  return last;
}

async function sendSlice(
  client: RestClient,
  maxTries: number,
  address: string,
  slice: Uint8Array,
  from: number,
  size: number,
): Promise<JsonMap> {
  for (let tries = 1; ; tries++) {
    try {
      return await client.ask({
        method: 'PUT',
        path: address,
        withoutLogin: true,
        headers: {
          'content-type': 'application/octet-stream',
          'content-range': `bytes ${from}-${from + slice.length - 1}/${size}`,
        },
        content: slice,
      });
    } catch (error) {
      if (tries >= maxTries || (error instanceof TaskFailed && !error.retry)) throw error;
    }
  }
}

async function* slices(content: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of content) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= bytes) {
      yield pending.subarray(0, bytes);
      pending = pending.subarray(bytes);
    }
  }
  if (pending.length > 0) yield pending;
}
