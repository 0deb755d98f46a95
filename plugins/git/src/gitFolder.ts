import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGlobMatcher, readInside, toInnerPath, walkInside, writeInside } from '@millrace/plugin-kit';

const ignoreFiles = ['.kestraignore', '.millraceignore'];

/** A folder of a checked-out repository. Paths are relative to it; links are never followed. */
export class GitFolder {
  /** Relative to the repository, without a slash at either end; empty for its root. */
  readonly path: string;
  readonly #root: string;
  readonly #folder: string;

  constructor(repository: string, path: string | undefined) {
    const plain = (path ?? '').replace(/^[./]+|\/+$/g, '');
    this.path = plain === '' ? '' : toInnerPath(plain);
    this.#root = repository;
    this.#folder = join(repository, this.path);
  }

  /** The path of a file in the repository. */
  pathOf(file: string): string {
    return this.path === '' ? file : `${this.path}/${file}`;
  }

  async exists(): Promise<boolean> {
    return (await stat(this.#folder).catch(() => undefined))?.isDirectory() ?? false;
  }

  /** All files except Git's own files and ignored files. */
  async list(): Promise<string[]> {
    if (!(await this.exists())) return [];
    const isIgnored = await this.#readIgnored();
    const files: string[] = [];
    for await (const { path, isLink } of walkInside(this.#folder)) {
      if (!isLink && !isGitFile(path) && !isIgnored(path)) files.push(path);
    }
    return files;
  }

  async *stream(file: string): AsyncIterable<Uint8Array> {
    yield* readInside(this.#folder, file);
  }

  async bytes(file: string): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.stream(file)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async text(file: string): Promise<string> {
    return (await this.bytes(file)).toString('utf8');
  }

  async write(file: string, content: string | AsyncIterable<Uint8Array>): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    // A file may replace a link or a folder.
    await rm(join(this.#folder, toInnerPath(file)), { recursive: true, force: true });
    await writeInside(this.#root, this.pathOf(file), content);
  }

  async remove(file: string): Promise<void> {
    await rm(join(this.#folder, toInnerPath(file)), { force: true });
  }

  async #readIgnored(): Promise<(path: string) => boolean> {
    const patterns: string[] = [];
    for (const name of ignoreFiles) {
      const isThere = (await stat(join(this.#folder, name)).catch(() => undefined))?.isFile();
      if (isThere) patterns.push(...(await this.text(name)).split('\n').flatMap(toGlobs));
    }
    return createGlobMatcher([...ignoreFiles.map((name) => name), ...patterns]);
  }
}

const isGitFile = (path: string): boolean =>
  path.split('/').some((name) => name === '.git' || name.startsWith('.git'));

/** A line of an ignore file: a name matches in every folder, a path with a slash only from the top. */
function toGlobs(line: string): string[] {
  const pattern = line.trim();
  if (pattern === '' || pattern.startsWith('#')) return [];
  const plain = pattern.replace(/^\/+|\/+$/g, '');
  const isAnchored = pattern.startsWith('/') || plain.includes('/');
  const base = isAnchored ? plain : `**/${plain}`;
  return pattern.endsWith('/') ? [`${base}/**`] : [base, `${base}/**`];
}

export const isYaml = (path: string): boolean => /\.ya?ml$/i.test(path);

/** The id of a file name: `sales/daily.yml` → `daily`. */
export const idOfFile = (path: string): string => (path.split('/').at(-1) ?? path).replace(/\.ya?ml$/i, '');
