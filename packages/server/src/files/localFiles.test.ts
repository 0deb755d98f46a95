import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LocalFiles } from './localFiles.ts';

function someFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'files-'));
  writeFileSync(join(folder, 'outside'), 'secret');
  return new LocalFiles(join(folder, 'storage'));
}

const textOf = async (content: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

describe('LocalFiles', () => {
  it('stores, reads, measures and deletes', async () => {
    const files = someFiles();
    const uri = await files.put(['company', 'team', 'a b.txt'], 'hello');
    expect(uri).toBe('millrace:///company/team/a%20b.txt');
    expect(await textOf(await files.read(uri))).toBe('hello');
    expect(await files.sizeOf(uri.replace('millrace', 'kestra'))).toBe(5);
    expect(await files.delete(uri)).toBe(true);
    expect(await files.delete(uri)).toBe(false);
    await expect(files.read(uri)).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each(['../outside', '%2e%2e/outside', '..%2foutside', '/etc/passwd', 'a/../../outside', ''])(
    'never leads out of its folder: %s (abuse case 21)',
    async (path) => {
      await expect(someFiles().sizeOf(`millrace:///${path}`)).rejects.toMatchObject({
        code: 'illegal-argument',
      });
    },
  );

  it.each(['../up', '..', '.', 'a/b', 'a\\b', 'x\0y', ''])(
    'takes the name %j for one segment',
    async (name) => {
      const files = someFiles();
      const uri = await files.put(['ns', name], 'x');
      expect(uri.slice('millrace:///'.length).split('/')).toHaveLength(2);
      expect(await files.sizeOf(uri)).toBe(1);
    },
  );

  it('deletes what lies below a folder', async () => {
    const files = someFiles();
    const uri = await files.put(['a', 'b', 'c'], 'x');
    expect(await files.deleteBelow(['a'])).toEqual([uri]);
    expect(await files.sizeOf(uri)).toBeUndefined();
  });
});
