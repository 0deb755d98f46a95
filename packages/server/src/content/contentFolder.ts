import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the product's content: two levels above the bundle, further up in the sources. */
export function findContentFolder(): string {
  const candidates = ['../../content', '../../../../content'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return candidates.find((folder) => existsSync(folder)) ?? '';
}
