import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toAllowedPath } from './allowedPaths.ts';

async function folders() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'millrace-allowed-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'open'));
  await writeFile(join(root, 'secret.txt'), 'x');
  await symlink(join(root, 'secret.txt'), join(root, 'open/link'));
  return { root, open: join(root, 'open') };
}
const configured = (name: string, allowedPaths: unknown) => ({
  configuration: (type: string) => (type === name ? { allowedPaths } : {}),
});

test('nothing is allowed without configuration', async () => {
  await expect(toAllowedPath({ configuration: () => ({}) }, '/tmp/x', 'fs.local.List')).rejects.toThrow(
    'set "allowedPaths" for "fs.local"',
  );
});

test.each(['fs.local.List', 'fs.local', 'io.kestra.plugin.fs.local'])(
  'a path inside a folder configured for %s is allowed, also when it does not exist yet',
  async (name) => {
    const { open } = await folders();
    const context = configured(name, [open]);
    expect(await toAllowedPath(context, `${open}/new/file.txt`, 'fs.local.List')).toBe(
      `${open}/new/file.txt`,
    );
    expect(await toAllowedPath(context, open, 'fs.local.List')).toBe(open);
  },
);

test.each(['/../secret.txt', '/link', '2/x', '/../../etc/passwd'])(
  '%s leads out of the folder',
  async (path) => {
    const { open } = await folders();
    await expect(toAllowedPath(configured('fs.local', [open]), open + path, 'fs.local.List')).rejects.toThrow(
      'is not inside one of the allowed paths',
    );
  },
);

test('a relative path is refused', async () => {
  await expect(toAllowedPath(configured('fs.local', ['/tmp']), 'x', 'fs.local.List')).rejects.toThrow(
    'must be absolute',
  );
});
