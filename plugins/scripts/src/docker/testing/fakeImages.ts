import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A recorded build request: its query and the files of its context. */
export interface FakeBuild {
  readonly query: URLSearchParams;
  readonly files: Readonly<Record<string, string>>;
  readonly registries: unknown;
}

export interface FakeImages {
  readonly images: Set<string>;
  readonly logins: unknown[];
  readonly builds: FakeBuild[];
}

const json = (reply: ServerResponse, status: number, value: unknown) =>
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const fail = (reply: ServerResponse, status: number, message: string) => json(reply, status, { message });
const line = (value: unknown) => `${JSON.stringify(value)}\r\n`;

/** The calls about images, besides pulling: build, push, tag, list, remove, prune. False for any other call. */
export async function serveImages(
  fake: FakeImages,
  request: IncomingMessage,
  url: URL,
  reply: ServerResponse,
): Promise<boolean> {
  const { method } = request;
  const [, name = '', verb] = /^\/images\/(.+?)(?:\/(push|tag|json))?$/.exec(url.pathname) ?? [];
  const image = decodeURIComponent(name);
  if (url.pathname === '/build' && method === 'POST') await build(fake, request, url, reply);
  else if (/^\/(build|containers|images|networks|volumes)\/prune$/.test(url.pathname))
    json(reply, 200, { SpaceReclaimed: 1024 });
  else if (url.pathname === '/images/json')
    json(
      reply,
      200,
      [...fake.images].map((each) => ({
        Id: `sha256:${each}`,
        RepoTags: [each],
        Size: 10,
        Created: 1,
        Labels: null,
      })),
    );
  else if (verb === 'push') push(fake, request, image, url, reply);
  else if (verb === 'tag' || (method === 'DELETE' && name !== '')) change(fake, image, verb, url, reply);
  else return false;
  return true;
}

const withTag = (image: string) => (/:[^/]+$/.test(image) ? image : `${image}:latest`);

function change(fake: FakeImages, image: string, verb: string | undefined, url: URL, reply: ServerResponse) {
  if (!fake.images.has(withTag(image))) return fail(reply, 404, `No such image: ${image}`);
  if (verb !== 'tag') {
    fake.images.delete(withTag(image));
    return json(reply, 200, [{ Deleted: image }]);
  }
  fake.images.add(`${url.searchParams.get('repo')}:${url.searchParams.get('tag')}`);
  return reply.writeHead(201).end();
}

function push(fake: FakeImages, request: IncomingMessage, image: string, url: URL, reply: ServerResponse) {
  const login = request.headers['x-registry-auth'];
  if (typeof login === 'string') fake.logins.push(JSON.parse(Buffer.from(login, 'base64').toString('utf8')));
  if (!fake.images.has(`${image}:${url.searchParams.get('tag')}`))
    return fail(reply, 404, `No such image: ${image}`);
  reply.writeHead(200, { 'content-type': 'application/json' });
  reply.write(line({ status: 'Preparing', id: 'layer' }));
  return reply.end(
    image.includes('denied') ? line({ error: 'denied: requested access' }) : line({ status: 'Pushed' }),
  );
}

async function build(fake: FakeImages, request: IncomingMessage, url: URL, reply: ServerResponse) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const folder = mkdtempSync(join(tmpdir(), 'fake-build-'));
  try {
    execFileSync('tar', ['-x', '-C', folder], { input: Buffer.concat(chunks) });
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    const files = Object.fromEntries(
      paths.map((each) => {
        const path = join(each.parentPath, each.name);
        return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
      }),
    );
    const registries = request.headers['x-registry-config'];
    fake.builds.push({
      query: url.searchParams,
      files,
      registries:
        typeof registries === 'string' && JSON.parse(Buffer.from(registries, 'base64').toString('utf8')),
    });
    const dockerfile = files[url.searchParams.get('dockerfile') ?? 'Dockerfile'];
    if (dockerfile === undefined) return fail(reply, 500, 'Cannot locate specified Dockerfile');
    reply.writeHead(200, { 'content-type': 'application/json' });
    reply.write(line({ stream: 'Step 1/1 : FROM scratch\n' }));
    if (dockerfile.includes('RUN false'))
      return reply.end(line({ error: 'The command "false" returned a non-zero code: 1' }));
    fake.images.add(url.searchParams.get('t') ?? '');
    return reply.end(line({ aux: { ID: 'sha256:abc' } }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
