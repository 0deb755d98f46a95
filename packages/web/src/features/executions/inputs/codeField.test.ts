import { expect, it } from 'vitest';
import { formatJson, mistakeIn } from './CodeField.tsx';

it('a mistake in JSON has a line and a column', () => {
  expect(mistakeIn('{"a": 1}')).toBeUndefined();
  expect(mistakeIn('{\n  "a": 1\n  "b": 2\n}')).toMatchObject({ line: 3 });
  expect(mistakeIn('[1, 2')).toMatchObject({ line: 1 });
  expect(formatJson('[1]')).toBe('[\n  1\n]');
});
