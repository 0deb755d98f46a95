import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly isImmutable: boolean;
  /** The same content, compressed when the app was built: encoding → path, best first. */
  readonly encodings: ReadonlyMap<string, string>;
  /** Sent instead of the file. */
  readonly content?: string;
}

/**
 * The files of the web app. The folder is listed once and requests are only looked up in that list, so
 * a path can never lead to any other file.
 */
export interface WebApp {
  /** Answers an asset, or the page itself for any path that is a view of the app. False when it is neither. */
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
      // Hundreds of files, of which a server that is only called by programs serves none.
      listed ??= list(folder, basePath);
      const { assets, index } = listed;
      const path = request.url.split('?', 1)[0] ?? '/';
      const asset = assets.get(decode(path));
      if (asset && asset.path !== index?.path) send(asset, request, reply);
      else if (index && (asset || isView(path))) send(index, request, reply);
      else return false;
      return true;
    },
  };
}

interface Listed {
  readonly assets: ReadonlyMap<string, Asset>;
  readonly index: Asset | undefined;
}

function list(folder: string, basePath: string): Listed {
  const assets = listAssets(folder);
  return { assets, index: placeIndex(assets.get('/index.html'), basePath) };
}

/** The page as it has to be below a base path: it loads its scripts from there, and they know where they are. */
function placeIndex(index: Asset | undefined, basePath: string): Asset | undefined {
  if (!index || basePath === '') return index;
  const page = readFileSync(index.path, 'utf8')
    .replace(/((?:src|href)=")\//g, `$1${basePath}/`)
    .replace('<head>', `<head>\n    <meta name="base-path" content="${basePath}" />`);
  return { ...index, content: page, encodings: new Map() };
}

/** Views have no place under the API, and a missing script must not be answered with a page. */
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
      etag: `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`,
      // The build puts a hash of the content into the names of this folder only.
      isImmutable: url.startsWith('/assets/'),
      encodings: new Map(
        compressed.filter(([, end]) => paths.has(path + end)).map(([name, end]) => [name, path + end]),
      ),
    });
  }
  return assets;
}

function send(asset: Asset, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'cache-control': asset.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: asset.etag,
    vary: 'accept-encoding',
  });
  if (request.headers['if-none-match'] === asset.etag) {
    void reply.code(304).send();
    return;
  }
  const encoding = [...asset.encodings.keys()].find((name) => accepts(request, name));
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  const path = (encoding !== undefined && asset.encodings.get(encoding)) || asset.path;
  reply.code(200).type(asset.type);
  void (request.method === 'HEAD' ? reply.send() : reply.send(asset.content ?? createReadStream(path)));
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
