import { createHash } from 'node:crypto';
import type { TaskDefinition, TriggerDefinition } from '@millrace/plugin-kit';
import { readInput } from '@millrace/plugin-kit';
import { runType, type TestContext } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { fsFamily } from '../index.ts';
import { anFsContext } from './fsContext.ts';

interface Suite {
  readonly name: 'sftp' | 'ftp' | 'ftps' | 'smb';
  /** Properties that connect, once the server runs. */
  readonly connection: () => Readonly<Record<string, unknown>>;
  /** A folder on the server that is empty before the first test. */
  readonly root: string;
  /** How files that exist are treated by `Upload` without `overwrite`. */
  readonly overwrites: boolean;
}

const find = (type: string) => fsFamily.types.find((each) => each.type === type);

interface FileOutput {
  readonly name: string;
  readonly path: string;
  readonly serverPath: string;
  readonly size: number;
  readonly changeType?: string;
}

/** Tests the behavior that every protocol must have, against a real file server. */
export function testProtocol({ name, connection, root, overwrites }: Suite): void {
  const run = (type: string, properties: Readonly<Record<string, unknown>>, context: TestContext) =>
    // `as`: the types of the family are known.
    runType(find(`fs.${name}.${type}`) as TaskDefinition, { ...connection(), ...properties }, context);
  const poll = (context: TestContext, properties: Readonly<Record<string, unknown>>) => {
    const trigger = find(`fs.${name}.Trigger`) as TriggerDefinition;
    const input = readInput(trigger.type, trigger.input, { ...connection(), ...properties });
    return trigger.poll?.(context, input) as Promise<{ files: FileOutput[] } | undefined>;
  };
  const put = async (context: TestContext, path: string, content: string) =>
    run('Upload', { from: await context.files.put('x', content), to: path, overwrite: true }, context);
  const namesIn = async (context: TestContext, folder: string, more: object = {}) =>
    ((await run('List', { from: folder, ...more }, context)).files as FileOutput[])
      .map((file) => file.name)
      .sort();

  test('a file goes up and comes back the same, whatever its bytes and its size', async () => {
    const context = anFsContext();
    const bytes = Buffer.alloc(300_000, 'Grüße \u0000\u00ff\r\n');
    const from = await context.files.put('data.bin', bytes);
    const { to } = await run('Upload', { from, to: `${root}/a/b/data.bin` }, context);
    expect(to).toBe(`${name}://127.0.0.1${root}/a/b/data.bin`);
    const outputs = await run('Download', { from: `${root}/a/b/data.bin` }, context);
    expect(outputs.checksum).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(context.files.byPath.get(String(outputs.to).replace('millrace://', ''))?.equals(bytes)).toBe(true);
    const wrong = { from: `${root}/a/b/data.bin`, validateChecksum: true, checksumExpected: 'abc' };
    await expect(run('Download', wrong, context)).rejects.toThrow('but abc was expected');
  });

  test('an existing file is replaced, also by a shorter one, or refused', async () => {
    const context = anFsContext();
    await put(context, `${root}/over.txt`, 'a long text');
    await put(context, `${root}/over.txt`, 'short');
    const { to } = await run('Download', { from: `${root}/over.txt` }, context);
    expect(await context.files.text(String(to))).toBe('short');
    const from = await context.files.put('x', 'again');
    const target = { from, to: `${root}/over.txt` };
    await expect(run('Upload', { ...target, overwrite: false }, context)).rejects.toThrow(
      'exists on the server',
    );
    if (overwrites) await run('Upload', target, context);
    else await expect(run('Upload', target, context)).rejects.toThrow('exists on the server');
  });

  test('files are listed by pattern, in folders and in order, and downloaded', async () => {
    const context = anFsContext();
    const uris = { 'b.csv': await context.files.put('x', 'b'), 'a.csv': await context.files.put('x', 'a') };
    await run('Uploads', { from: uris, to: `${root}/list` }, context);
    await put(context, `${root}/list/sub/c.csv`, 'c');
    await put(context, `${root}/list/notes.txt`, 'n');
    expect(await namesIn(context, `${root}/list`)).toEqual(['a.csv', 'b.csv', 'notes.txt']);
    const csv = { regExp: '.*\\.csv', recursive: true };
    expect(await namesIn(context, `${root}/list`, csv)).toEqual(['a.csv', 'b.csv', 'c.csv']);
    const sorted = await run(
      'List',
      { from: `${root}/list`, ...csv, sort: 'NAME_DESC', maxFiles: 2 },
      context,
    );
    expect((sorted.files as FileOutput[]).map((file) => file.name)).toEqual(['c.csv', 'b.csv']);
    expect(context.logs.at(-1)?.message).toContain('Only 2 of 3 files');
    const { outputFiles } = await run('Downloads', { from: `${root}/list`, ...csv }, context);
    const stored = outputFiles as Record<string, string>;
    expect(Object.keys(stored).sort()).toEqual(['a.csv', 'b.csv', 'c.csv']);
    expect(await context.files.text(stored['c.csv'] ?? '')).toBe('c');
    await expect(run('List', { from: `${root}/nowhere` }, context)).rejects.toThrow('There is no file');
    await expect(run('Download', { from: `${root}/nowhere.txt` }, context)).rejects.toThrow(
      'There is no file',
    );
  });

  test('downloaded files are moved away or deleted', async () => {
    const context = anFsContext();
    await put(context, `${root}/take/a.txt`, 'a');
    const moved = { from: `${root}/take`, action: 'MOVE', moveDirectory: `${root}/taken/deep` };
    await run('Downloads', moved, context);
    expect(await namesIn(context, `${root}/take`)).toEqual([]);
    expect(await namesIn(context, `${root}/taken/deep`)).toEqual(['a.txt']);
    await run('Downloads', { from: `${root}/taken/deep`, action: 'DELETE' }, context);
    expect(await namesIn(context, `${root}/taken/deep`)).toEqual([]);
  });

  test('files are moved and deleted, and folders with everything in them', async () => {
    const context = anFsContext();
    await put(context, `${root}/move/a.txt`, 'a');
    await put(context, `${root}/move/b.txt`, 'b');
    await run('Move', { from: `${root}/move/a.txt`, to: `${root}/move/new/` }, context);
    expect(await namesIn(context, `${root}/move/new`)).toEqual(['a.txt']);
    const onto = { from: `${root}/move/b.txt`, to: `${root}/move/new/a.txt` };
    await expect(run('Move', onto, context)).rejects.toThrow('exists on the server');
    await run('Move', { ...onto, overwrite: true }, context);
    const folder = { uri: `${root}/move` };
    await expect(run('Delete', folder, context)).rejects.toThrow('is not empty');
    const { uris } = await run('Delete', { ...folder, recursive: true, regExp: '.*a\\.txt' }, context);
    expect(uris).toEqual([`${name}://127.0.0.1${root}/move/new/a.txt`]);
    await run('Delete', { ...folder, recursive: true }, context);
    expect((await run('Delete', folder, context)).deleted).toBe(false);
    await expect(run('Delete', { ...folder, errorOnMissing: true }, context)).rejects.toThrow(
      'There is no file',
    );
  });

  test('the trigger takes what is there and moves it away', async () => {
    const context = anFsContext();
    const properties = { from: `${root}/inbox`, action: 'MOVE', moveDirectory: `${root}/done` };
    expect(await poll(context, properties)).toBeUndefined();
    await put(context, `${root}/inbox/a.txt`, 'content');
    const fired = await poll(context, properties);
    expect(fired?.files).toMatchObject([{ name: 'a.txt', changeType: 'CREATE', size: 7 }]);
    expect(await context.files.text(fired?.files[0]?.path ?? '')).toBe('content');
    expect(await poll(context, properties)).toBeUndefined();
    expect(await namesIn(context, `${root}/done`)).toEqual(['a.txt']);
  });

  test('the trigger remembers what it saw, and sees changes', async () => {
    const context = anFsContext();
    const properties = { from: `${root}/watch`, action: 'NONE' };
    await put(context, `${root}/watch/a.txt`, 'one');
    await put(context, `${root}/watch/b.txt`, 'one');
    const first = await poll(context, { ...properties, maxFiles: 1 });
    expect(first?.files).toHaveLength(1);
    expect((await poll(context, properties))?.files).toHaveLength(1);
    expect(await poll(context, properties)).toBeUndefined();
    await put(context, `${root}/watch/b.txt`, 'changed');
    expect((await poll(context, properties))?.files).toMatchObject([{ name: 'b.txt', changeType: 'UPDATE' }]);
  });
}
