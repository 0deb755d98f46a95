import { describe, expect, it } from 'vitest';
import { bodyOf, problemOf, textOf } from './KvForm.tsx';

describe('values of the key-value store', () => {
  it.each([
    ['STRING', '', undefined],
    ['NUMBER', '4.5', undefined],
    ['NUMBER', 'four', 'number'],
    ['NUMBER', '', 'required'],
    ['DURATION', 'P1DT2H', undefined],
    ['DURATION', 'PT', 'duration'],
    ['DURATION', 'two days', 'duration'],
    ['JSON', '{"a": 1}', undefined],
    ['JSON', '[1]', undefined],
    ['JSON', '1', 'json'],
    ['JSON', '{', 'json'],
  ] as const)('a %s of %j is checked', (type, text, problem) => expect(problemOf(type, text)).toBe(problem));

  it('sends text in quotes, so that a text of digits stays text', () => {
    expect(bodyOf('STRING', '42')).toBe('"42"');
    expect(bodyOf('NUMBER', '42')).toBe('42');
  });

  it('shows what is stored as it is typed', () => {
    expect(textOf({ type: 'JSON', value: { a: 1 } })).toBe('{\n  "a": 1\n}');
    expect(textOf({ type: 'BOOLEAN', value: false })).toBe('false');
    expect(textOf({ type: 'STRING' })).toBe('');
  });
});
