import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sentMethod } from './head.ts';
import { openPageFiles } from './pageFiles.ts';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly isImmutable: boolean;
  /** The same content, compressed when the app was built: encoding → path, best first. */
  readonly encodings: ReadonlyMap<string, string>;
  /** Cached content: path → content. */
  readonly kept: Map<string, Buffer>;
}

/** Larger files are read for each request; smaller ones are cached in memory after the first request. */
const keptBytes = 1024 * 1024;

/**
 * The files of the web app. The folder is listed once and requests are only looked up in that list, so
 * a path can never lead to any other file.
 */
export interface WebApp {
  /** Sends an asset, or the page for any path that is a view of the app. False when it is neither. */
  serve(request: FastifyRequest, reply: FastifyReply): boolean;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
  map: 'application/json',
};

const compressed = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

export function openWebApp(folder: string, basePath = ''): WebApp {
  let listed: Listed | undefined;
  return {
    serve: (request, reply) => {
      // Listed on first use: hundreds of files, which a server without browsers never serves.
      listed ??= list(folder, basePath);
      const { assets, pageAt } = listed;
      const path = request.url.split('?', 1)[0] ?? '/';
      const asset = assets.get(decode(path));
      if (asset && !isPage(path)) return sendAsset(asset, request, reply);
      if (pageAt && (asset || isView(path))) sendPage(pageAt(request), request, reply);
      else return false;
      return true;
    },
  };
}

interface Listed {
  readonly assets: ReadonlyMap<string, Asset>;
  readonly pageAt: ((request: FastifyRequest) => string) | undefined;
}

function list(folder: string, basePath: string): Listed {
  const assets = listAssets(folder);
  const index = assets.get('/index.html');
  if (!index) return { assets, pageAt: undefined };
  const page = placeIndex(readFileSync(index.path, 'utf8'), basePath);
  const withFiles = openPageFiles(assets.get('/pages.json')?.path, basePath);
  return {
    assets,
    pageAt: ({ url, headers }) =>
      withFiles(page, { path: url.split('?', 1)[0] ?? '/', languages: headers['accept-language'] }),
  };
}

const isPage = (path: string): boolean => path === '/index.html';

/** The page as it has to be below a base path: it loads its scripts from there, and they know where they are. */
function placeIndex(page: string, basePath: string): string {
  if (basePath === '') return page;
  return page
    .replace(/((?:src|href)=")\//g, `$1${basePath}/`)
    .replace('<head>', `<head>\n    <meta name="base-path" content="${basePath}" />`);
}

/** Paths of the API are never views, and a missing script must not return the page. */
function isView(path: string): boolean {
  return (
    !/^\/(api|v1|assets|health|swagger|oauth)(\/|$)/.test(path) && !/\.(js|css|map|woff2?|wasm)$/.test(path)
  );
}

function listAssets(folder: string): Map<string, Asset> {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const paths = new Set(entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name)));
  const assets = new Map<string, Asset>();
  for (const path of paths) {
    if (path.endsWith('.br') || path.endsWith('.gz')) continue;
    const url = `/${relative(folder, path).split(sep).join('/')}`;
    const { size, mtimeMs } = statSync(path);
    assets.set(url, {
      path,
      type: types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      sizeBytes: size,
      etag: `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`,
      // The build puts a hash of the content into the names of this folder only.
      isImmutable: url.startsWith('/assets/'),
      encodings: new Map(
        compressed.filter(([, end]) => paths.has(path + end)).map(([name, end]) => [name, path + end]),
      ),
      kept: new Map(),
    });
  }
  return assets;
}

/** Sends the page, which differs by path in its preload links. */
function sendPage(page: string, request: FastifyRequest, reply: FastifyReply): void {
  const etag = `"${createHash('sha1').update(page).digest('base64url')}"`;
  reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding, accept-language' });
  if (request.headers['if-none-match'] === etag) void reply.code(304).send();
  else
    void reply
      .code(200)
      .type(types.html ?? '')
      .send(page);
}

/** False when a new build of the web app has removed the file. */
function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply): boolean {
  const encoding = [...asset.encodings.keys()].find((name) => accepts(request, name));
  const path = (encoding !== undefined && asset.encodings.get(encoding)) || asset.path;
  if (!asset.kept.has(path) && !existsSync(path)) return false;
  reply.headers({
    'cache-control': asset.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: asset.etag,
    vary: 'accept-encoding',
  });
  if (request.headers['if-none-match'] === asset.etag) {
    void reply.code(304).send();
    return true;
  }
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  reply.code(200).type(asset.type);
  if (sentMethod(request.raw) === 'HEAD') void reply.send();
  else void reply.send(asset.sizeBytes > keptBytes ? createReadStream(path) : read(asset, path));
  return true;
}

/** A stream has to be opened, measured and closed, which for dozens of small files takes longer than to send them. */
function read({ kept }: Asset, path: string): Buffer {
  const content = kept.get(path) ?? readFileSync(path);
  kept.set(path, content);
  return content;
}

function accepts(request: FastifyRequest, encoding: string): boolean {
  const header = request.headers['accept-encoding'];
  return (
    typeof header === 'string' && header.split(',').some((item) => item.trim().split(';', 1)[0] === encoding)
  );
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
