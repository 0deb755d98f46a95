import { describe, expect, it } from 'vitest';
import { isSatisfied } from './install.mjs';

const yaml = { version: '2.9.1', integrity: 'sha512-a' };

describe('an installation', () => {
  it('is complete when every locked package is there in its version', () => {
    expect(isSatisfied({ 'node_modules/yaml': yaml }, { 'node_modules/yaml': yaml })).toBe(true);
  });

  it.each([
    ['a missing package', {}],
    ['another version', { 'node_modules/yaml': { ...yaml, version: '2.9.0' } }],
    ['other contents', { 'node_modules/yaml': { ...yaml, integrity: 'sha512-b' } }],
  ])('is out of date with %s', (_, installed) => {
    expect(isSatisfied({ 'node_modules/yaml': yaml }, installed)).toBe(false);
  });

  it('may lack binaries for other platforms', () => {
    expect(isSatisfied({ 'node_modules/other-platform': { ...yaml, optional: true } }, {})).toBe(true);
  });

  it('is not bothered by the rooms, which are links', () => {
    const rooms = { '': {}, 'packages/web': {}, 'node_modules/@millrace/web': { link: true } };
    expect(isSatisfied(rooms, {})).toBe(true);
  });
});
