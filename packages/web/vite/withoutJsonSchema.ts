import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** The part of Zod that writes JSON schemas. Every schema refers to it, so that no build leaves it out by itself. */
const writer = /zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/;

/** Only the server writes JSON schemas; in the browser the code for it would be weight on every page. */
export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      return writer.test(id) ? standInFor(readFileSync(id, 'utf8')) : undefined;
    },
  };
}

/** The same names, which say so when they are used after all. Code that only defines a method still works. */
export function standInFor(source: string): string {
  const names = [...source.matchAll(/^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \}/gm)].map(
    ([, declared, renamed]) => declared ?? renamed ?? '',
  );
  return [
    "const refuse = () => { throw new Error('JSON schemas are written on the server only.'); };",
    'const refuseLater = () => refuse;',
    ...names.map((name) => `export const ${name} = ${name.startsWith('create') ? 'refuseLater' : 'refuse'};`),
  ].join('\n');
}
