import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the words of the product are: two levels above the bundle after a build, further up in the sources. */
export function findContentFolder(): string {
  const candidates = ['../../content', '../../../../content'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return candidates.find((folder) => existsSync(folder)) ?? '';
}
