import type { BlobStore } from '@millrace/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blobKey } from '../blobKey.ts';

interface Opened {
  readonly blobs: BlobStore;
  close(): Promise<void>;
}

async function* bytes(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

export async function textOf(content: AsyncIterable<Uint8Array> | undefined): Promise<string | undefined> {
  if (!content) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The tests every internal storage must pass. */
export function blobSuite(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const blobs = () => opened.blobs;
    let last = 0;
    const aFolder = () => `f${++last}`;
    const keysIn = async (folder: string) =>
      (await blobs().list(folder))?.map(({ key, kind }) => `${kind} ${key}`);
    const walked = async (folder: string) => {
      const keys: string[] = [];
      for await (const { key } of blobs().walk(folder)) keys.push(key);
      return keys.sort();
    };

    it('writes, reads, measures, replaces and deletes a file', async () => {
      const key = `${aFolder()}/deep/er/a.txt`;
      expect(await blobs().stat(key)).toBeUndefined();
      expect(await blobs().read(key)).toBeUndefined();
      const before = Date.now() - 5_000;
      await blobs().put(key, bytes('hel', 'lo'));
      expect(await textOf(await blobs().read(key))).toBe('hello');
      const found = await blobs().stat(key);
      expect(found).toMatchObject({ kind: 'file', sizeBytes: 5 });
      expect(found?.modifiedAt).toBeGreaterThan(before);
      await blobs().put(key, bytes('bye'));
      expect(await textOf(await blobs().read(key))).toBe('bye');
      expect(await blobs().delete(key)).toBe(true);
      expect(await blobs().delete(key)).toBe(false);
      expect(await blobs().stat(key)).toBeUndefined();
    });

    it('keeps an empty file', async () => {
      const key = `${aFolder()}/empty`;
      await blobs().put(key, bytes());
      expect(await blobs().stat(key)).toMatchObject({ kind: 'file', sizeBytes: 0 });
      expect(await textOf(await blobs().read(key))).toBe('');
    });

    it.each([
      'a b+c.txt',
      'ü漢🦆.csv',
      '100%.txt',
      'a%20b',
      'a-b_c~.md',
      '#?=;,@$',
      '2026-01-01T10:00:00.csv',
    ])('keeps a file called %s', async (file) => {
      const key = blobKey(`${aFolder()}/${file}`);
      await blobs().put(key, bytes(file));
      expect(await textOf(await blobs().read(key))).toBe(file);
      expect(await walked(key.split('/')[0] ?? '')).toEqual([key]);
      expect(await blobs().move(key, `${key}2`)).toBe(true);
      expect(await textOf(await blobs().read(`${key}2`))).toBe(file);
      expect(await blobs().delete(key.split('/')[0] ?? '')).toBe(true);
    });

    it('streams a file that is larger than one part and reads pieces of it', async () => {
      const key = `${aFolder()}/large`;
      const piece = Buffer.alloc(1_048_576, 'x');
      const pieces = 18;
      await blobs().put(key, bytes(...new Array<Buffer>(pieces).fill(piece), 'the end'));
      const size = pieces * piece.length + 7;
      expect((await blobs().stat(key))?.sizeBytes).toBe(size);
      expect(await textOf(await blobs().read(key, { start: size - 8, end: size - 1 }))).toBe('xthe end');
      expect(await textOf(await blobs().read(key, { start: size - 3, end: size + 100 }))).toBe('end');
      expect(await textOf(await blobs().read(key, { start: 0, end: 2 }))).toBe('xxx');
    });

    it('shows nothing of a file whose content broke off', async () => {
      const folder = aFolder();
      const broken = async function* () {
        yield Buffer.alloc(9 * 1_048_576);
        yield Buffer.alloc(9 * 1_048_576);
        throw new Error('broke off');
      };
      await expect(blobs().put(`${folder}/x`, broken())).rejects.toThrow('broke off');
      expect(await blobs().stat(`${folder}/x`)).toBeUndefined();
      expect(await walked(folder)).toEqual([]);
    });

    it('lists one level, walks all of them', async () => {
      const folder = aFolder();
      for (const path of ['b.txt', 'a/1', 'a/2/3', 'ab']) await blobs().put(`${folder}/${path}`, bytes(path));
      expect(await keysIn(folder)).toEqual([
        `folder ${folder}/a`,
        `file ${folder}/ab`,
        `file ${folder}/b.txt`,
      ]);
      expect(await walked(`${folder}/a`)).toEqual([`${folder}/a/1`, `${folder}/a/2/3`]);
      expect(await blobs().list(`${folder}/nowhere`)).toBeUndefined();
      expect(await walked(`${folder}/nowhere`)).toEqual([]);
      expect(await blobs().stat(`${folder}/a`)).toMatchObject({ kind: 'folder', sizeBytes: 0 });
      expect(await keysIn('')).toContain(`folder ${folder}`);
    });

    it('knows empty folders', async () => {
      const folder = aFolder();
      await blobs().makeFolder(`${folder}/empty`);
      expect(await keysIn(folder)).toEqual([`folder ${folder}/empty`]);
      expect(await keysIn(`${folder}/empty`)).toEqual([]);
      expect(await blobs().stat(`${folder}/empty`)).toMatchObject({ kind: 'folder' });
      expect(await walked(folder)).toEqual([]);
      expect(await blobs().delete(`${folder}/empty`)).toBe(true);
      expect(await blobs().stat(`${folder}/empty`)).toBeUndefined();
    });

    it('moves files and folders, over what was there', async () => {
      const folder = aFolder();
      for (const path of ['from/1', 'from/deep/2', 'to/old', 'file']) {
        await blobs().put(`${folder}/${path}`, bytes(path));
      }
      expect(await blobs().move(`${folder}/nowhere`, `${folder}/x`)).toBe(false);
      expect(await blobs().move(`${folder}/from`, `${folder}/to`)).toBe(true);
      expect(await walked(folder)).toEqual([`${folder}/file`, `${folder}/to/1`, `${folder}/to/deep/2`]);
      expect(await blobs().move(`${folder}/file`, `${folder}/to/1`)).toBe(true);
      expect(await textOf(await blobs().read(`${folder}/to/1`))).toBe('file');
      expect(await blobs().stat(`${folder}/file`)).toBeUndefined();
    });

    it('deletes a folder with everything in it and nothing beside it', async () => {
      const folder = aFolder();
      for (const path of ['a/1', 'a/b/2', 'ab']) await blobs().put(`${folder}/${path}`, bytes(path));
      expect(await blobs().delete(`${folder}/a`)).toBe(true);
      expect(await walked(folder)).toEqual([`${folder}/ab`]);
    });
  });
}
