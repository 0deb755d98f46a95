import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { createGlobMatcher } from '@millrace/plugin-kit';

/**
 * The files that a `.dockerignore` leaves out of the context of a build. The last rule that matches a path or a folder
 * above it decides. Clients apply these rules; the engine does not.
 */
export function createDockerIgnore(folder: string, content: string): (path: string) => boolean {
  const rules = content.split('\n').flatMap((line) => {
    const pattern = line.trim();
    if (pattern === '' || pattern.startsWith('#')) return [];
    const glob = pattern.replace(/^!?\/*/, '').replace(/\/+$/, '');
    return glob === '' ? [] : [{ isException: pattern.startsWith('!'), matches: createGlobMatcher([glob]) }];
  });
  const hasExceptions = rules.some(({ isException }) => isException);
  return (path) => {
    const names = path.split('/');
    const withParents = names.map((_, index) => names.slice(0, index + 1).join('/'));
    let isIgnored = false;
    for (const { isException, matches } of rules) {
      if (withParents.some(matches)) isIgnored = !isException;
    }
    // A folder stays when a rule may include a file of it again.
    return isIgnored && !(hasExceptions && lstatSync(join(folder, path)).isDirectory());
  };
}
