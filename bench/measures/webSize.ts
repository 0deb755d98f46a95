import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { inRoot } from '../../scripts/setup/root.mjs';

const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
    css: z.array(z.string()).optional(),
  }),
);
type Manifest = z.infer<typeof Manifest>;

/**
 * The size of what a browser loads before it shows the first page: the entry, its static imports, and the
 * texts of its language, which every page needs. With the source of a page, the size when that page is opened
 * directly.
 */
export function measureWebSize(page?: string): { scriptBytes: number; styleBytes: number } {
  const manifest = readManifest();
  const opened = page === undefined ? [englishTexts] : [englishTexts, page];
  for (const name of opened) if (!manifest[name]) throw new Error(`The build has no chunk for ${name}.`);
  const chunks = new Set<string>();
  for (const [name, chunk] of Object.entries(manifest)) if (chunk.isEntry) collect(manifest, name, chunks);
  for (const name of opened) collect(manifest, name, chunks);
  const loaded = [...chunks].flatMap((name) => manifest[name] ?? []);
  return {
    scriptBytes: sumSizes(loaded.map(({ file }) => file)),
    styleBytes: sumSizes(loaded.flatMap(({ css }) => css ?? [])),
  };
}

const englishTexts = 'src/i18n/en.json';
export const executionPage = 'src/features/executions/page/ExecutionPage.tsx';

export const readManifest = (): Manifest =>
  Manifest.parse(JSON.parse(readFileSync(inRoot('dist/web/.vite/manifest.json'), 'utf8')));

function collect(manifest: Manifest, name: string, found: Set<string>): void {
  if (found.has(name)) return;
  found.add(name);
  for (const imported of manifest[name]?.imports ?? []) collect(manifest, imported, found);
}

const sumSizes = (files: readonly string[]) =>
  [...new Set(files)].reduce((sum, file) => sum + gzipSync(readFileSync(inRoot('dist/web', file))).length, 0);
