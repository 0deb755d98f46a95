import { expect, it } from 'vitest';
import { filterTextOf } from './registerLanguage.ts';

it('a completion is compared with what it replaces, once', () => {
  expect(filterTextOf('core.log.Fetch', 'core.log.')).toBe('core.log.Fetch');
  expect(filterTextOf('core.log.Fetch', 'core.log.Fe')).toBe('core.log.Fetch');
  expect(filterTextOf('value', 'outputs.load.va')).toBe('outputs.load.value');
  expect(filterTextOf('message', 'me')).toBe('message');
});
