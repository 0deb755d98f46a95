import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Duplex, Writable } from 'node:stream';
import { type FakeBuild, serveImages } from './fakeImages.ts';

interface FakeContainer {
  readonly id: string;
  readonly name: string;
  readonly options: Record<string, unknown> & { HostConfig: Record<string, unknown> };
  /** The root folder of the container's file system. */
  readonly root: string;
  process?: ChildProcess;
  /** The attached clients; `said` holds the frames of all output. */
  readonly listeners: Set<Writable>;
  readonly said: Buffer[];
  /** The attached client whose bytes are the input of the process. */
  input?: Duplex;
  exit?: Promise<number>;
  state: 'created' | 'running' | 'exited' | 'removed';
}

export interface FakeDocker {
  readonly socketPath: string;
  /** Every call, as `METHOD /path?query`. */
  readonly calls: string[];
  readonly containers: FakeContainer[];
  /** The logins of pull requests. */
  readonly logins: unknown[];
  readonly images: Set<string>;
  readonly builds: FakeBuild[];
  close(): Promise<void>;
}

/**
 * The calls of the Docker Engine API that a runner needs, on a socket: status codes, error bodies, the frames
 * of an attached stream and archives are those of the engine. A container is a process in a separate folder;
 * there is no isolation.
 */
export async function startFakeDocker(): Promise<FakeDocker> {
  const folder = mkdtempSync(join(tmpdir(), 'fake-docker-'));
  const fake = {
    socketPath: join(folder, 'docker.sock'),
    calls: [] as string[],
    containers: [] as FakeContainer[],
    logins: [] as unknown[],
    images: new Set(['here:latest']),
    builds: [] as FakeBuild[],
  };
  const server = createServer((request, reply) => {
    // The client may put the version of the API in front.
    const path = (request.url ?? '').replace(/^\/v[\d.]+/, '');
    fake.calls.push(`${request.method} ${path}`);
    answer(fake, folder, request, new URL(path, 'http://docker'), reply).catch((error: unknown) =>
      fail(reply, 500, String(error)),
    );
  });
  // A client that also writes takes the connection over.
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const [, id] = /\/containers\/(.+?)\/attach/.exec(request.url ?? '') ?? [];
    const container = fake.containers.find((each) => each.id === id);
    if (!container) return socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
    container.input = socket;
    container.listeners.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(fake.socketPath, resolve));
  return {
    ...fake,
    close: async () => {
      for (const container of fake.containers) kill(container, 'SIGKILL');
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Fake = Omit<FakeDocker, 'close'>;

const json = (reply: ServerResponse, status: number, value: unknown) =>
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const fail = (reply: ServerResponse, status: number, message: string) => json(reply, status, { message });

async function answer(fake: Fake, folder: string, request: IncomingMessage, url: URL, reply: ServerResponse) {
  const { method } = request;
  if (await serveImages(fake, request, url, reply)) return;
  const [, kind, name = '', verb = ''] =
    /^\/(images|containers)\/(.+?)(?:\/([a-z]+))?$/.exec(url.pathname) ?? [];
  if (kind === 'images' && name === 'create') return pull(fake, request, url, reply);
  if (kind === 'images') {
    if (fake.images.has(decodeURIComponent(name))) return json(reply, 200, { Id: 'sha256:1' });
    return fail(reply, 404, `No such image: ${name}`);
  }
  if (kind === 'containers' && name === 'create') return create(fake, folder, request, url, reply);
  if (kind === 'containers' && name === 'json') return list(fake, url, reply);
  const container = fake.containers.find(
    (each) => (each.id === name || each.name === name) && each.state !== 'removed',
  );
  if (!container) return fail(reply, 404, `No such container: ${name}`);
  if (method === 'DELETE') return remove(container, reply);
  if (verb === 'archive') return archive(container, request, url, reply);
  if (verb === 'json') return json(reply, 200, { Config: container.options });
  if (verb === 'attach') return attach(container, url, reply);
  if (verb === 'start') return start(container, reply);
  if (verb === 'wait') return json(reply, 200, { StatusCode: await container.exit });
  if (verb === 'kill' || verb === 'stop') return end(container, verb, url, reply);
  return fail(reply, 404, 'page not found');
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function pull(fake: Fake, request: IncomingMessage, url: URL, reply: ServerResponse) {
  const tag = url.searchParams.get('tag');
  const image = `${url.searchParams.get('fromImage')}${tag === null ? '' : `:${tag}`}`;
  const login = request.headers['x-registry-auth'];
  if (typeof login === 'string') fake.logins.push(JSON.parse(Buffer.from(login, 'base64').toString('utf8')));
  reply.writeHead(200, { 'content-type': 'application/json' });
  reply.write(`${JSON.stringify({ status: `Pulling from ${image}` })}\r\n`);
  if (image.startsWith('missing')) {
    const message = `manifest for ${image} not found`;
    return reply.end(`${JSON.stringify({ errorDetail: { message }, error: message })}\r\n`);
  }
  fake.images.add(image);
  return reply.end(`${JSON.stringify({ status: 'Download complete' })}\r\n`);
}

async function create(fake: Fake, folder: string, request: IncomingMessage, url: URL, reply: ServerResponse) {
  const name = url.searchParams.get('name') ?? '';
  // `as`: the API documents this body.
  const options = (await readJson(request)) as FakeContainer['options'];
  const isTaken = fake.containers.some((each) => each.name === name && each.state !== 'removed');
  if (isTaken) return fail(reply, 409, `Conflict. The container name "/${name}" is already in use`);
  if (!fake.images.has(withTag(String(options.Image))))
    return fail(reply, 404, `No such image: ${options.Image}`);
  const id = `c${fake.containers.length + 1}`;
  const root = join(folder, id);
  mkdirSync(join(root, String(options.WorkingDir ?? '/')), { recursive: true });
  fake.containers.push({ id, name, options, root, listeners: new Set(), said: [], state: 'created' });
  return json(reply, 201, { Id: id, Warnings: [] });
}

const withTag = (image: string) => (/:[^/]+$/.test(image) ? image : `${image}:latest`);

/** A path in a mounted folder maps to that folder; any other path is in the container's file system. */
function insideOf({ options, root }: FakeContainer, path: string): string {
  const binds = (options.HostConfig.Binds ?? []) as string[];
  return binds.some((bind) => bind.startsWith(`${path}:`)) ? path : join(root, path);
}

async function archive(container: FakeContainer, request: IncomingMessage, url: URL, reply: ServerResponse) {
  const path = insideOf(container, url.searchParams.get('path') ?? '/');
  if (request.method === 'PUT') {
    const tar = spawn('tar', ['-x', '-C', path], { stdio: ['pipe', 'ignore', 'inherit'] });
    request.pipe(tar.stdin);
    const code = await new Promise((resolve) => tar.once('close', resolve));
    return code === 0 ? reply.writeHead(200).end() : fail(reply, 400, 'not a tar archive');
  }
  reply.writeHead(200, { 'content-type': 'application/x-tar' });
  const tar = spawn('tar', ['-c', '-C', dirname(path), basename(path)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return tar.stdout.pipe(reply);
}

function list({ containers }: Fake, url: URL, reply: ServerResponse) {
  const { label = [] }: { label?: string[] } = JSON.parse(url.searchParams.get('filters') ?? '{}');
  const found = containers.filter(({ options, state }) => {
    const labels = Object.entries(options.Labels ?? {}).map(([key, value]) => `${key}=${value}`);
    return state !== 'removed' && label.every((each) => labels.includes(each));
  });
  return json(
    reply,
    200,
    found.map(({ id, state }) => ({ Id: id, State: state })),
  );
}

function attach(container: FakeContainer, url: URL, reply: ServerResponse) {
  reply.writeHead(200, { 'content-type': 'application/vnd.docker.multiplexed-stream' });
  reply.flushHeaders();
  if (url.searchParams.get('logs') === 'true') for (const frame of container.said) reply.write(frame);
  container.listeners.add(reply);
}

function start(container: FakeContainer, reply: ServerResponse) {
  if (container.state !== 'created') return reply.writeHead(304).end();
  const { options } = container;
  const folder = String(options.WorkingDir ?? '/');
  const cwd = insideOf(container, folder);
  // A process has no separate file system, so the paths of the working folder are those of the container's folder.
  const inside = (word: string) => (folder === '/' ? word : word.replaceAll(folder, cwd));
  const entry = ((options.Entrypoint ?? []) as string[]).filter((word) => word !== '');
  const [program = 'false', ...rest] = [...entry, ...((options.Cmd ?? []) as string[])].map(inside);
  const env = Object.fromEntries(
    ((options.Env ?? []) as string[]).map((line) => inside(line).split(/=(.*)/s).slice(0, 2)),
  );
  const child = spawn(program, rest, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: [container.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  container.process = child;
  if (child.stdin) container.input?.pipe(child.stdin);
  container.state = 'running';
  frames(container, 1, child);
  frames(container, 2, child);
  container.exit = new Promise((resolve) =>
    child.once('close', (code, signal) => {
      container.state = 'exited';
      for (const listener of container.listeners) listener.end();
      resolve(code ?? (signal === 'SIGKILL' ? 137 : 143));
    }),
  );
  return reply.writeHead(204).end();
}

function frames({ listeners, said }: FakeContainer, stream: 1 | 2, child: ChildProcess) {
  const source = stream === 1 ? child.stdout : child.stderr;
  source?.on('data', (bytes: Buffer) => {
    const head = Buffer.alloc(8);
    head[0] = stream;
    head.writeUInt32BE(bytes.length, 4);
    const frame = Buffer.concat([head, bytes]);
    said.push(frame);
    for (const listener of listeners) {
      if (listener.write(frame)) continue;
      source.pause();
      listener.once('drain', () => source.resume());
    }
  });
}

function kill({ process: child }: FakeContainer, signal: NodeJS.Signals) {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}

async function end(container: FakeContainer, verb: string, url: URL, reply: ServerResponse) {
  if (container.state !== 'running') return fail(reply, 409, `container ${container.id} is not running`);
  kill(container, verb === 'kill' ? 'SIGKILL' : 'SIGTERM');
  if (verb === 'stop') {
    const timer = setTimeout(
      () => kill(container, 'SIGKILL'),
      Number(url.searchParams.get('t') ?? 10) * 1000,
    );
    await container.exit;
    clearTimeout(timer);
  }
  return reply.writeHead(204).end();
}

async function remove(container: FakeContainer, reply: ServerResponse) {
  kill(container, 'SIGKILL');
  await container.exit;
  container.state = 'removed';
  execFileSync('rm', ['-rf', container.root]);
  return reply.writeHead(204).end();
}
