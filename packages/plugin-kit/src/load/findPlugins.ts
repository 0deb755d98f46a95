import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A file or package in the folder of plugins. */
export interface FoundPlugin {
  /** The name of the package, or of the file without its ending. */
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Where its code begins; why there is none otherwise. */
  readonly entry: URL | { readonly problem: string };
}

const endings = new Set(['.js', '.mjs']);
const noVersion = '0.0.0';

/** The plugins in the folder, sorted by name. Throws when the folder itself cannot be read. */
export async function findPlugins(folder: string): Promise<FoundPlugin[]> {
  const names = (await readdir(folder)).sort();
  const found: FoundPlugin[] = [];
  for (const name of names) {
    if (name.startsWith('.') || name === 'node_modules') continue;
    const path = join(folder, name);
    const info = await stat(path).catch(() => undefined);
    if (info?.isDirectory()) found.push(await findPackage(path, name));
    else if (info?.isFile() && endings.has(extname(name))) {
      const entry = pathToFileURL(resolve(path));
      found.push({ name: name.slice(0, -extname(name).length), version: noVersion, license: '', entry });
    }
  }
  return found;
}

interface PackageFile {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly license?: unknown;
  readonly main?: unknown;
  readonly exports?: unknown;
}

async function findPackage(folder: string, folderName: string): Promise<FoundPlugin> {
  const words = { name: folderName, version: noVersion, license: '' };
  let described: PackageFile;
  try {
    described = await readPackageFile(join(folder, 'package.json'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...words, entry: { problem: `Its package.json cannot be read: ${reason}` } };
  }
  const text = (value: unknown, fallback: string) => (typeof value === 'string' ? value : fallback);
  return {
    name: text(described.name, folderName),
    version: text(described.version, noVersion),
    license: text(described.license, ''),
    entry: await findEntry(folder, described),
  };
}

async function readPackageFile(path: string): Promise<PackageFile> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  const value: unknown = JSON.parse(content);
  if (typeof value !== 'object' || value === null) throw new Error('it holds no map');
  return value;
}

async function findEntry(folder: string, described: PackageFile): Promise<FoundPlugin['entry']> {
  const named = exportOf(described.exports) ?? described.main;
  const candidates = typeof named === 'string' ? [named] : ['index.mjs', 'index.js'];
  for (const candidate of candidates) {
    const path = await realpath(resolve(folder, candidate)).catch(() => undefined);
    if (path === undefined) continue;
    const inside = relative(await realpath(folder), path);
    if (inside.startsWith('..')) return { problem: `Its entry "${candidate}" lies outside of its folder.` };
    return pathToFileURL(path);
  }
  return { problem: `It has no ${candidates.map((name) => `"${name}"`).join(' or ')}.` };
}

/** The main entry of `exports`: a text, or the `import` or `default` of a map, also below `"."`. */
function exportOf(exports: unknown): unknown {
  if (typeof exports !== 'object' || exports === null) return exports;
  const map = exports as Readonly<Record<string, unknown>>; // any map has text keys
  return exportOf(map['.'] ?? map.import ?? map.default);
}
