import { expect, it } from 'vitest';
import { initialValue, toFormData, valuesGiven } from './inputValues.ts';

it.each([
  ['a text', { id: 'a', type: 'STRING', defaults: 'eu' }, 'eu'],
  ['a number', { id: 'a', type: 'INT', defaults: 5 }, 5],
  ['a boolean', { id: 'a', type: 'BOOLEAN', defaults: false }, false],
  ['an object', { id: 'a', type: 'JSON', defaults: { x: 1 } }, '{\n  "x": 1\n}'],
  ['a list of choices', { id: 'a', type: 'MULTISELECT', defaults: ['x', 'y'] }, ['x', 'y']],
  ['nothing', { id: 'a', type: 'STRING' }, undefined],
  ['an expression', { id: 'a', type: 'STRING', defaults: '{{ now() }}' }, undefined],
] as const)('starts from %s', (_, input, value) => {
  expect(initialValue(input as never)).toEqual(value);
});

it('sends what was given, and only that', () => {
  const file = new File(['x'], 'orders.csv');
  const form = toFormData({ a: 'x', b: 0, c: false, d: undefined, e: '', f: ['p', 'q'], g: file });
  const sent = [...form.entries()].map(([name, value]) => [name, value instanceof File ? value.name : value]);
  expect(sent).toEqual([
    ['a', 'x'],
    ['b', '0'],
    ['c', 'false'],
    ['f', '["p","q"]'],
    ['files', 'g'],
  ]);
});

it('begins with what an execution was given, without its secrets', () => {
  const inputs = [
    { id: 'who', type: 'STRING', defaults: 'you' },
    { id: 'place.city', type: 'STRING' },
    { id: 'options', type: 'JSON' },
    { id: 'token', type: 'SECRET' },
    { id: 'late', type: 'STRING', defaults: 'new' },
  ] as never;
  const given = { who: 'me', place: { city: 'Ulm' }, options: { a: 1 }, token: '******' };
  expect(valuesGiven(inputs, given)).toEqual({
    who: 'me',
    'place.city': 'Ulm',
    options: '{\n  "a": 1\n}',
    token: undefined,
    late: 'new',
  });
});
