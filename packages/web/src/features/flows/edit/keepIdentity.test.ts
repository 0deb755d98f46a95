import { expect, it } from 'vitest';
import { keepIdentity } from './keepIdentity.ts';

const key = { namespace: 'shop.orders', id: 'nightly' };
const source = 'id: nightly # the name\nnamespace: shop.orders\ntasks:\n  - id: a\n    type: core.log.Log\n';

it.each([
  ['an unchanged source', source],
  ['an id that is being typed', source.replace('id: nightly # the name', 'id:')],
  ['a source that cannot be read', `${source}\n  : [`],
])('S2-4f.3 leaves %s alone', (_, text) => expect(keepIdentity(text, key)).toBeUndefined());

it('S2-4f.3 puts a changed id back and nothing else', () => {
  const changed = source.replace('id: nightly # the name', 'id: daily');
  expect(keepIdentity(changed, key)).toBe(source.replace(' # the name', ''));
});

it('S2-4f.3 puts a changed namespace back', () => {
  expect(keepIdentity(source.replace('shop.orders', 'shop'), key)).toBe(source);
});
