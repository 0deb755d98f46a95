import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runType, type SshServer, startSshServer } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clone } from './clone.ts';
import { pushNamespaceFiles } from './pushNamespaceFiles.ts';
import { aGitContext } from './testing/gitContext.ts';
import { aRepository, git, serveOverHttp } from './testing/repositories.ts';

// Each test runs many Git processes.
vi.setConfig({ testTimeout: 60_000 });

describe('over the file system', () => {
  test('the default branch goes into the working folder, around files that are there', async () => {
    const repository = await aRepository();
    const context = aGitContext();
    const folder = await context.workingDirectory();
    await writeFile(join(folder, 'mine.txt'), 'mine');
    expect(await runType(clone, { url: repository.url }, context)).toEqual({ directory: folder });
    expect((await readdir(folder)).sort()).toEqual(['.git', 'README.md', 'mine.txt']);
  });

  test('a branch, a tag and a commit can be chosen, and a folder for them', async () => {
    const repository = await aRepository();
    const first = await git(repository.path, 'rev-parse', 'main');
    await git(repository.path, 'tag', 'v1', first);
    await repository.commit({ 'README.md': 'newer\n' });
    await repository.commit({ 'extra.txt': 'x' }, 'feature');
    const cases = [
      [{ branch: 'feature' }, 'newer\n'],
      [{ tag: 'v1', branch: 'main' }, 'A project\n'],
      [{ commit: first, cloneAllBranches: false }, 'A project\n'],
    ] as const;
    for (const [properties, expected] of cases) {
      const context = aGitContext();
      const outputs = await runType(
        clone,
        { url: repository.url, directory: 'sub/source', ...properties },
        context,
      );
      const directory = join(await context.workingDirectory(), 'sub/source');
      expect(outputs).toEqual({ directory });
      expect(await readFile(join(directory, 'README.md'), 'utf8')).toBe(expected);
    }
  });

  test('one commit is fetched by default, all of them with depth 0', async () => {
    const repository = await aRepository();
    await repository.commit({ 'README.md': 'newer\n' });
    for (const [depth, count] of [
      [undefined, '1'],
      [0, '2'],
    ] as const) {
      const context = aGitContext();
      await runType(clone, { url: repository.url, directory: 'a', ...(depth === 0 && { depth }) }, context);
      const directory = join(await context.workingDirectory(), 'a');
      expect(await git(directory, 'rev-list', '--count', 'HEAD')).toBe(count);
    }
  });

  test('settings are written to the repository, and those that run programs are refused', async () => {
    const repository = await aRepository();
    const context = aGitContext();
    const gitConfig = { 'core.autocrlf': 'input', 'user.name': 'Someone' };
    await runType(clone, { url: repository.url, gitConfig }, context);
    expect(await git(await context.workingDirectory(), 'config', '--local', 'core.autocrlf')).toBe('input');
    await expect(
      runType(clone, { url: repository.url, gitConfig: { 'core.sshCommand': 'touch /tmp/x' } }, context),
    ).rejects.toThrow('The Git setting "core.sshCommand" is not allowed');
  });

  test.each([
    ['--upload-pack=touch /tmp/x', 'is not a repository'],
    ['ext::sh -c touch', 'is not a repository'],
    ['git://127.0.0.1/repo.git', 'is not a repository; expected https://'],
    ['', 'must be given'],
  ])('the address "%s" is refused', async (url, message) => {
    await expect(runType(clone, { url }, aGitContext())).rejects.toThrow(message);
  });

  test('a missing branch, a missing repository and a closed folder are named', async () => {
    const repository = await aRepository();
    const { url } = repository;
    await expect(runType(clone, { url, branch: 'nope' }, aGitContext())).rejects.toThrow('nope');
    await expect(runType(clone, { url: `${url}x` }, aGitContext())).rejects.toThrow('git ls-remote failed');
    const closed = aGitContext({ configuration: () => ({}) });
    await expect(runType(clone, { url }, closed)).rejects.toThrow('set "allowedPaths" for "git"');
  });

  test('submodules are fetched when asked for', async () => {
    const [outer, inner] = [await aRepository(), await aRepository()];
    const copy = join(outer.root, 'with-submodule');
    await git(outer.root, 'clone', '--quiet', outer.path, copy);
    await git(copy, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.url, 'inner');
    await git(copy, 'commit', '--quiet', '-m', 'add submodule');
    await git(copy, 'push', '--quiet', 'origin', 'main');
    const context = aGitContext();
    await runType(clone, { url: outer.url, cloneSubmodules: true }, context);
    expect(await readFile(join(await context.workingDirectory(), 'inner/README.md'), 'utf8')).toBe(
      'A project\n',
    );
  });
});

describe('over HTTP', () => {
  test('the right password opens the repository in both directions and is not logged', async () => {
    const repository = await aRepository();
    const url = await serveOverHttp(repository, 'deploy:top-secret-token');
    const login = { url, username: 'deploy', password: 'top-secret-token' };
    const context = aGitContext();
    await runType(clone, { ...login, directory: 'a' }, context);
    await context.namespaceFiles.write('company.team', 'new.txt', 'pushed over http');
    const outputs = await runType(pushNamespaceFiles, { ...login, gitDirectory: 'files' }, context);
    expect(await repository.show('files/new.txt')).toBe('pushed over http');
    expect(outputs.commitURL).toBe(`${url.replace('.git', '')}/commit/${outputs.commitId}`);
    expect(JSON.stringify(context.logs)).not.toContain('top-secret-token');
    const config = await readFile(join(await context.workingDirectory(), 'a/.git/config'), 'utf8');
    expect(config).not.toContain('top-secret-token');
  });

  test('a wrong password and none are refused in plain words', async () => {
    const url = await serveOverHttp(await aRepository(), 'deploy:right');
    const wrong = { url, username: 'deploy', password: 'wrong-password' };
    await expect(runType(clone, wrong, aGitContext())).rejects.toThrow(/denied with the password/);
    await expect(runType(clone, { url }, aGitContext())).rejects.toThrow(/denied with no credentials/);
  });

  test('a wrong host is named, and the outbound policy holds', async () => {
    const url = 'http://no-such-host.invalid/x.git';
    await expect(runType(clone, { url }, aGitContext())).rejects.toThrow(/no-such-host\.invalid/);
    const { realNetwork } = await import('@millrace/plugin-kit/testing');
    const context = aGitContext(realNetwork({ denyPrivate: true }));
    const local = await serveOverHttp(await aRepository(), 'a:b');
    await expect(runType(clone, { url: local }, context)).rejects.toThrow(
      'not allowed by the outbound policy',
    );
  });
});

describe('over SSH', () => {
  let server: SshServer;
  beforeAll(async () => {
    server = await startSshServer();
  });
  afterAll(() => server.stop());
  const urlOf = (path: string) => `ssh://${server.username}@${server.host}:${server.port}${path}`;

  test('a key opens the repository in both directions', async () => {
    const repository = await aRepository();
    const login = { url: urlOf(repository.path), privateKey: server.privateKey };
    const context = aGitContext();
    await runType(clone, login, context);
    await context.namespaceFiles.write('company.team', 'new.txt', 'pushed over ssh');
    await runType(pushNamespaceFiles, { ...login, gitDirectory: 'files' }, context);
    expect(await repository.show('files/new.txt')).toBe('pushed over ssh');
    expect((await readdir(await context.workingDirectory())).sort()).toEqual(['.git', 'README.md']);
  });

  test('a key with a passphrase works, and not with another passphrase', async () => {
    const url = urlOf((await aRepository()).path);
    const login = { url, privateKey: server.lockedKey };
    await runType(clone, { ...login, passphrase: 'open sesame' }, aGitContext());
    await expect(runType(clone, { ...login, passphrase: 'wrong' }, aGitContext())).rejects.toThrow(
      /denied with the private key/,
    );
    await expect(runType(clone, { url }, aGitContext())).rejects.toThrow(/denied with no credentials/);
  });
});

test('a task that is killed ends at once', async () => {
  const server = (await import('node:net')).createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const context = aGitContext();
  const started = Date.now();
  const running = runType(clone, { url: `http://127.0.0.1:${port}/x.git` }, context);
  server.once('connection', () => context.kill());
  await expect(running).rejects.toThrow();
  expect(Date.now() - started).toBeLessThan(10_000);
  server.close();
});
