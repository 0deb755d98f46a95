import type { Json } from '@millrace/plugin-gcp/google';
import { type Received, type Reply, refusal, startGoogle } from '@millrace/plugin-gcp/testing';
import type { TaskDefinition, TriggerDefinition } from '@millrace/plugin-kit';
import { expect, test } from 'vitest';
import { driveTypes } from './index.ts';

// `as`: the names in these tests are those of tasks or triggers.
const find = <T extends TaskDefinition | TriggerDefinition = TaskDefinition>(name: string): T =>
  driveTypes.find(({ type }) => type.endsWith(`.${name}`)) as T;

/** Files with their content; uploads are resumable, list pages have one item. */
class FakeDrive {
  readonly files = new Map<string, Json & { content?: Buffer }>();
  readonly queries: string[] = [];
  canRead = true;
  #upload: Json | undefined;

  readonly handle = (request: Received): Reply => {
    const { host, path, method, query, json, bytes, headers } = request;
    if (host !== 'www.googleapis.com') return refusal(404, 'no');
    if (path.startsWith('/upload/')) {
      if (method === 'PUT') {
        const [, , total] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(String(headers['content-range'])) ?? [];
        if (Number(total) !== bytes.length) return refusal(400, 'bad range');
        const { id, ...rest } = this.#upload ?? {};
        return { body: this.add({ ...this.files.get(String(id)), ...rest, id: id ?? 'new' }, bytes) };
      }
      const id = path.split('/')[5];
      this.#upload = { ...json, ...(id && { id }) };
      return { headers: { location: 'https://www.googleapis.com/upload/drive/v3/files?upload_id=1' } };
    }
    const id = path.split('/')[4];
    if (id === undefined && method === 'POST') return { body: this.add({ ...json, id: 'made' }) };
    if (id === undefined) {
      this.queries.push(query.get('q') ?? '');
      const all = [...this.files.values()].map(({ content: _, ...file }) => file);
      const at = Number(query.get('pageToken') ?? 0);
      return {
        body: { files: all.slice(at, at + 1), ...(at + 1 < all.length && { nextPageToken: String(at + 1) }) },
      };
    }
    const file = this.files.get(id);
    if (!file) return refusal(404, `File not found: ${id}.`, 'notFound');
    if (method === 'DELETE') {
      this.files.delete(id);
      return { status: 204 };
    }
    if (path.endsWith('/export')) return { body: Buffer.from(`as ${query.get('mimeType')}`) };
    if (query.get('alt') === 'media')
      return this.canRead
        ? { body: file.content ?? '' }
        : refusal(403, 'Insufficient Permission', 'insufficientPermissions');
    const { content: _, ...resource } = file;
    return { body: resource };
  };

  add(file: Json, content?: Buffer): Json {
    const resource = { ...file, ...(content && { size: String(content.length), content }) };
    this.files.set(String(file.id), resource);
    const { content: _, ...rest } = resource as { content?: Buffer };
    return rest;
  }
}

async function aDrive() {
  const drive = new FakeDrive();
  return { drive, ...(await startGoogle(drive.handle)) };
}

test('a file is uploaded, replaced, downloaded and deleted', async () => {
  const { drive, run, context, received } = await aDrive();
  const from = await context.files.put('a.csv', 'a,b\n1,2\n');
  const uploaded = await run(find('Upload'), {
    from,
    name: 'Orders',
    parents: ['folder'],
    contentType: 'text/csv',
    description: 'All',
  });
  expect(uploaded).toEqual({ file: { id: 'new', name: 'Orders', size: 8, parents: ['folder'] } });
  expect(received[0]?.headers['x-upload-content-type']).toBe('text/csv');
  expect(received[0]?.json).toEqual({ name: 'Orders', parents: ['folder'], description: 'All' });
  const second = await context.files.put('b.csv', 'new');
  await run(find('Upload'), { from: second, fileId: 'new', contentType: 'text/csv', parents: ['other'] });
  expect(received.find(({ method }) => method === 'PATCH')?.query.get('addParents')).toBe('other');
  const { uri, file } = await run(find('Download'), { fileId: 'new' });
  expect(file).toMatchObject({ id: 'new', size: 3 });
  expect(await context.files.text(String(uri))).toBe('new');
  expect(await run(find('Delete'), { fileId: 'new' })).toEqual({ fileId: 'new' });
  expect(drive.files.size).toBe(0);
  await expect(run(find('Download'), { fileId: 'new' })).rejects.toThrow(
    'HTTP 404 (notFound): File not found: new.',
  );
});

test('documents of Google are exported, not downloaded', async () => {
  const { drive, run, context } = await aDrive();
  drive.add({ id: 'doc', name: 'Plan', mimeType: 'application/vnd.google-apps.document' });
  await expect(run(find('Download'), { fileId: 'doc' })).rejects.toThrow('Use googleworkspace.drive.Export.');
  const { uri } = await run(find('Export'), { fileId: 'doc', contentType: 'application/pdf' });
  expect(await context.files.text(String(uri))).toBe('as application/pdf');
});

test('folders are created and files listed over all pages', async () => {
  const { drive, run, received } = await aDrive();
  expect(
    await run(find('Create'), {
      name: 'Reports',
      mimeType: 'application/vnd.google-apps.folder',
      teamDriveId: 'd1',
    }),
  ).toMatchObject({
    file: { id: 'made', name: 'Reports', parents: ['d1'] },
  });
  drive.add({ id: 'x', name: 'X', trashed: false });
  const { files } = await run(find('List'), { query: "name = 'X'", corpora: ['allTeamDrives'] });
  expect((files as { id: string }[]).map(({ id }) => id)).toEqual(['made', 'x']);
  expect(received.at(-1)?.query.get('corpora')).toBe('allDrives');
  expect(drive.queries[0]).toBe("name = 'X'");
});

test('FileCreatedTrigger finds each file once, with its content', async () => {
  const { drive, poll, aContext } = await aDrive();
  const trigger = find<TriggerDefinition>('FileCreatedTrigger');
  const context = aContext();
  const properties = {
    folderId: "fo'lder",
    mimeTypes: ['text/csv'],
    ownerEmail: 'ada@example.com',
    maxFilesPerPoll: 2,
  };
  const at = (second: number) => new Date(Date.now() + second * 1000).toISOString();
  expect(await poll(trigger, properties, context)).toBeUndefined();
  expect(drive.queries[0]).toMatch(
    /^\('fo\\'lder' in parents\) and createdTime >= '[\dT:.-]+Z' and trashed = false and \(mimeType = 'text\/csv'\) and 'ada@example.com' in owners$/,
  );
  drive.add({ id: 'b', name: 'b.csv', createdTime: at(2) }, Buffer.from('two'));
  drive.add({ id: 'a', name: 'a.csv', createdTime: at(1) }, Buffer.from('one'));
  drive.add({ id: 'c', name: 'c.csv', createdTime: at(3) }, Buffer.from('three'));
  const ids = (found: unknown) =>
    (found as { files: { id: string; kestraFileUri: string }[] } | undefined)?.files.map(({ id }) => id);
  const first = await poll(trigger, properties, context);
  expect(ids(first)).toEqual(['a', 'b']);
  expect(
    await context.files.text((first as { files: { kestraFileUri: string }[] }).files[0]?.kestraFileUri ?? ''),
  ).toBe('one');
  drive.canRead = false;
  const second = await poll(trigger, properties, context);
  expect(ids(second)).toEqual(['c']);
  expect((second as { files: Json[] }).files[0]).not.toHaveProperty('kestraFileUri');
  expect(await poll(trigger, properties, context)).toBeUndefined();
});
