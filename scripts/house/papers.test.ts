import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from '../check/sourceFiles.mjs';
import { inRoot } from '../setup/root.mjs';

const read = (path: string) => readFileSync(inRoot(path), 'utf8');
const papers = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

describe.each(papers)('%s', (paper) => {
  const text = read(paper);

  it('names only npm commands that exist', () => {
    const known: Record<string, string> = JSON.parse(read('package.json')).scripts;
    const named = [...text.matchAll(/\bnpm (?:run ([a-z:]+)|(start|test)\b)/g)].map(
      ([, run, short]) => run ?? short,
    );
    expect(named.filter((name) => name === undefined || !(name in known))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map(([, link]) => String(link));
    expect(links.filter((link) => !existsSync(inRoot(dirname(paper), link)))).toEqual([]);
  });
});

describe('the repository', () => {
  it('mentions no machine it was made on', () => {
    // Split, so that this file does not match itself.
    const folders = ['home/[a-z]', 'Users/[a-z]', 'root/', 'work/main', 'work/shared', 'tmp/millrace/'];
    const machine = new RegExp(`(?:^|[\\s"'\`(=])/(?:${folders.join('|')})`, 'm');
    const found = listFiles().filter((path) => isText(path) && machine.test(read(path)));
    expect(found).toEqual([]);
  });

  it('takes its packages from whatever registry is configured', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": "https?:/);
  });

  it('holds one Apache-2.0 licence, named in every package', () => {
    expect(read('LICENSE')).toContain('Apache License');
    const manifests = listFiles().filter((path) => path.endsWith('package.json'));
    const others = manifests.filter((path) => JSON.parse(read(path)).license !== 'Apache-2.0');
    expect(others).toEqual([]);
  });

  it('numbers its decisions without gaps', () => {
    const numbers = listFiles(join('docs', 'adr')).map((path) => Number(/(\d{4})-/.exec(path)?.[1]));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

function isText(path: string): boolean {
  return /\.(ts|tsx|mjs|cjs|json|md|ya?ml|css|html|sql|svg)$|(^|\/)(Dockerfile|\.npmrc|run)$/.test(path);
}
