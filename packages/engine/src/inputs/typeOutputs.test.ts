import { expect, it } from 'vitest';
import { typeOutputs } from './typeOutputs.ts';

const output = (type: 'STRING' | 'INT' | 'ARRAY' | 'SECRET' | 'FILE', more: object = {}) => ({
  id: 'o',
  type,
  value: '',
  ...more,
});

it.each([
  ['STRING', { a: 1 }, '{"a":1}'],
  ['INT', '7', 7],
  ['ARRAY', [1, 2], ['1', '2']],
  ['SECRET', 'hush', { type: 'io.kestra.datatype:aes_encrypted', value: '<hush>' }],
  ['FILE', 'kestra:///x', 'kestra:///x'],
] as const)('[E210] %s of %j is %j', (type, value, expected) => {
  const typed = typeOutputs([output(type)], { o: value }, (text) => `<${text}>`);
  expect(typed).toEqual({ values: { o: expected } });
});

it('[E210] an output without a value or of the wrong type fails them all, unless it is optional', () => {
  expect(typeOutputs([output('STRING')], { o: null })).toEqual({
    error: 'Invalid input for `o`, missing required output, but received `null`',
  });
  expect(typeOutputs([output('INT')], { o: 'x' })).toHaveProperty('error');
  expect(typeOutputs([output('INT', { required: false })], {})).toEqual({ values: { o: null } });
});
