import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** Runs the real Git as another user of the repository would. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Other', '-c', 'user.email=other@example.com'];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return (await run('git', [...identity, ...args], { cwd: folder, env })).stdout.trim();
}

export interface Repository {
  /** The folder that holds the bare repository, for servers. */
  readonly root: string;
  readonly path: string;
  readonly url: string;
  /** Commits files from elsewhere; null removes one. Returns the commit. */
  commit(files: Readonly<Record<string, string | null>>, branch?: string): Promise<string>;
  /** The content of a file on a branch. */
  show(file: string, branch?: string): Promise<string>;
  files(branch?: string): Promise<string[]>;
  log(branch?: string): Promise<string>;
}

/** A bare repository with one commit on `main`, unless it shall be empty. */
export async function aRepository(options: { readonly empty?: boolean } = {}): Promise<Repository> {
  const root = await mkdtemp(join(tmpdir(), 'millrace-git-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const path = join(root, 'project.git');
  await git(root, 'init', '--quiet', '--bare', '--initial-branch=main', path);
  const commit: Repository['commit'] = async (files, branch = 'main') => {
    const parent = await git(path, 'rev-parse', '--verify', '--quiet', branch)
      .catch(() => git(path, 'rev-parse', '--verify', '--quiet', 'main'))
      .catch(() => undefined);
    const changes = Object.entries(files).map(([file, content]) =>
      content === null
        ? `D ${file}\n`
        : `M 100644 inline ${file}\ndata ${Buffer.byteLength(content)}\n${content}\n`,
    );
    const from = parent === undefined ? '' : `from ${parent}\n`;
    const head = `commit refs/heads/${branch}\ncommitter Other <other@example.com> now\ndata 14\nfrom elsewhere\n`;
    const running = run('git', ['fast-import', '--quiet', '--date-format=now'], { cwd: path });
    running.child.stdin?.end(`${head}${from}${changes.join('')}\n`);
    await running;
    return git(path, 'rev-parse', branch);
  };
  if (!options.empty) await commit({ 'README.md': 'A project\n' });
  return {
    root,
    path,
    url: `file://${path}`,
    commit,
    show: (file, branch = 'main') => git(path, 'show', `${branch}:${file}`),
    files: async (branch = 'main') => (await git(path, 'ls-tree', '-r', '--name-only', branch)).split('\n'),
    log: (branch = 'main') => git(path, 'log', '-1', '--format=%an|%ae|%s', branch),
  };
}

/** Serves the repository with Git's own HTTP server, which requires a user and a password. */
export async function serveOverHttp(repository: Repository, login: string): Promise<string> {
  const server = createServer((request, response) => {
    const expected = `Basic ${Buffer.from(login).toString('base64')}`;
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://localhost');
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: repository.root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '2',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        GIT_CONFIG_KEY_1: 'http.receivepack',
        GIT_CONFIG_VALUE_1: 'true',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: 'tester',
      },
    });
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('close', () => {
      const output = Buffer.concat(chunks);
      const split = output.indexOf('\r\n\r\n');
      const lines = output.subarray(0, split).toString().split('\r\n');
      const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
      const status = Number.parseInt(headers.Status ?? '200', 10);
      delete headers.Status;
      response.writeHead(status, headers).end(output.subarray(split + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // `as`: a server that listens on a port has such an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/project.git`;
}
