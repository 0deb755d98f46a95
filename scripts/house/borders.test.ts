import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRoot } from '../setup/root.mjs';
import { runDependency } from '../setup/run.mjs';

interface Violation {
  readonly what: string;
  readonly room: string;
  readonly files: Readonly<Record<string, string>>;
  readonly rule: string;
}

const show = (name: string, from: string) =>
  `import { ${name} } from '${from}';\n\nexport const used = ${name};\n`;

const violations: readonly Violation[] = [
  {
    what: 'the engine reading a file',
    room: 'packages/engine/src',
    files: { 'x.ts': show('readFileSync', 'node:fs') },
    rule: 'noNodejsModules',
  },
  {
    what: 'the engine asking for the process',
    room: 'packages/engine/src',
    files: { 'x.ts': 'export const used = process.cwd();\n' },
    rule: 'noRestrictedGlobals',
  },
  {
    what: 'the web app reading a file',
    room: 'packages/web/src',
    files: { 'x.ts': show('readFileSync', 'node:fs') },
    rule: 'noNodejsModules',
  },
  {
    what: 'the web app importing the server',
    room: 'packages/web/src',
    files: { 'x.ts': show('start', '@millrace/server') },
    rule: 'noUndeclaredDependencies',
  },
  {
    what: 'the web app importing the store',
    room: 'packages/web/src',
    files: { 'x.ts': show('Conflict', '@millrace/store') },
    rule: 'noUndeclaredDependencies',
  },
  {
    what: 'the contract importing the engine',
    room: 'packages/contract/src',
    files: { 'x.ts': show('shortType', '@millrace/engine') },
    rule: 'noUndeclaredDependencies',
  },
  {
    what: 'the engine importing the plugins',
    room: 'packages/engine/src',
    files: { 'x.ts': show('catalogue', '@millrace/plugins') },
    rule: 'noUndeclaredDependencies',
  },
  {
    what: 'the template language importing the engine',
    room: 'packages/expression/src',
    files: { 'x.ts': show('shortType', '@millrace/engine') },
    rule: 'noUndeclaredDependencies',
  },
  {
    what: 'the template language reading a file',
    room: 'packages/expression/src',
    files: { 'x.ts': show('readFileSync', 'node:fs') },
    rule: 'noNodejsModules',
  },
  {
    what: 'the plugin kit importing a family',
    room: 'packages/plugin-kit/src',
    files: { 'x.ts': show('coreTypes', '@millrace/plugin-core') },
    rule: 'noUndeclaredDependencies',
  },
  {
    what: 'a family importing another family',
    room: 'plugins/scripts/src',
    files: { 'x.ts': show('coreTypes', '@millrace/plugin-core') },
    rule: 'noUndeclaredDependencies',
  },
  {
    what: 'the store importing the engine',
    room: 'packages/store/src',
    files: { 'x.ts': show('shortType', '@millrace/engine') },
    rule: 'noUndeclaredDependencies',
  },
  {
    what: 'a feature importing the inside of another',
    room: 'packages/web/src/features',
    files: { 'X.ts': show('FlowList', '../flows/list/FlowList.tsx') },
    rule: 'noRestrictedImports',
  },
  {
    what: 'files that import each other',
    room: 'packages/engine/src',
    files: {
      'x.ts': "import { b } from './y.ts';\n\nexport const a = (): number => b();\n",
      'y.ts': "import { a } from './x.ts';\n\nexport const b = (): number => a();\n",
    },
    rule: 'noImportCycles',
  },
  {
    what: 'a promise without await',
    room: 'packages/server/src',
    files: { 'x.ts': 'export function go(): void {\n  Promise.resolve(1);\n}\n' },
    rule: 'noFloatingPromises',
  },
];

/**
 * Test files, linted together in a copy of the repository that has its packages and rules but none of its sources: the
 * linter reads all files of a project, which takes longer than all other tests of the rules.
 */
const planted = new Map<Violation, string>();
const copy = mkdtempSync(join(tmpdir(), 'millrace-borders-'));
let findings = '';

beforeAll(async () => {
  const manifests = ['packages', 'plugins'].flatMap((folder) =>
    readdirSync(inRoot(folder)).map((name) => `${folder}/${name}/package.json`),
  );
  for (const path of ['biome.json', '.gitignore', 'package.json', ...manifests])
    cpSync(inRoot(path), join(copy, path));
  for (const violation of violations) planted.set(violation, plant(violation));
  const { output } = await runDependency(
    '@biomejs/biome/bin/biome',
    ['lint', '--reporter=github', '--max-diagnostics=none', ...planted.values()],
    { quiet: true, cwd: copy },
  );
  findings = output;
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the borders between the rooms', () => {
  it.each(violations)('$what is refused by the linter', (violation) => {
    const lines = findings.split('\n').filter((line) => line.includes(`${planted.get(violation)}/`));
    expect(lines.join('\n')).toContain(violation.rule);
  });
});

function plant({ room, files }: Violation): string {
  mkdirSync(join(copy, room), { recursive: true });
  const folder = mkdtempSync(join(copy, room, 'planted-'));
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), source);
  }
  return relative(copy, folder);
}
