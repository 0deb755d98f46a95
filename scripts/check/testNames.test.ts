import { describe, expect, it } from 'vitest';
import { describeCoverage, parseRequirements } from './coverage.mjs';
import { findRequirements } from './testNames.mjs';

describe('ids in test names', () => {
  it.each([
    [`it('S1-1.1 stores the source', () => {`, [{ id: 'S1-1.1', name: 'S1-1.1 stores the source' }]],
    [`  ['S2-7e.3', 200],`, [{ id: 'S2-7e.3', name: 'S2-7e.3' }]],
    [`it(\`S1-2.1.1 "x" opens`, [{ id: 'S1-2.1.1', name: 'S1-2.1.1 "x" opens' }]],
    [
      `it("it's S1-1.1 and S1-1.2", () => {`,
      ['S1-1.1', 'S1-1.2'].map((id) => ({ id, name: "it's S1-1.1 and S1-1.2" })),
    ],
    [`const url = 'a'; // S1-1.1 is elsewhere`, []],
    ['S1-1.1 outside of a text', []],
    [`it('O-8.11 sends once')`, [{ id: 'O-8.11', name: 'O-8.11 sends once' }]],
    [`it('S3-1.1 and S1-x are no ids')`, []],
  ])('%s', (line, found) => {
    expect(findRequirements(line)).toEqual(found);
  });
});

describe('the coverage page', () => {
  const requirements = parseRequirements(
    '| Id | Requirement |\n|---|---|\n| S1-1.1 | One |\n| S1-1.2 | Two |\n',
  );

  it('keeps the order of the requirements and says how many have a test', () => {
    const page = describeCoverage(requirements, [
      { id: 'S1-1.2', name: 'S1-1.2 does | it', file: 'b.test.ts' },
      { id: 'S1-1.2', name: 'S1-1.2', file: 'a.test.ts' },
    ]);
    expect(page).toContain('1 of 2 requirements have a test (');
    expect(page).toContain(
      '| S1-1.1 | One |  |  |\n| S1-1.2 | Two | unit | a.test.ts<br>b.test.ts: S1-1.2 does \\| it |\n',
    );
  });

  it('says at which levels a requirement is proven, the closest to the user first', () => {
    const files = ['packages/web/src/a.test.tsx', 'packages/engine/src/a.test.ts', 'e2e/a.test.ts'];
    const page = describeCoverage(requirements, [
      ...files.map((file) => ({ id: 'S1-1.1', name: 'S1-1.1', file })),
      { id: 'S1-1.2', name: 'S1-1.2', file: 'packages/server/src/http/a.test.ts' },
    ]);
    expect(page).toContain('| S1-1.1 | One | browser, component, unit | ');
    expect(page).toContain('| S1-1.2 | Two | HTTP | ');
    expect(page).toContain('2 of 2 requirements have a test (1 browser, 1 HTTP, 1 component, 1 unit).');
  });
});
