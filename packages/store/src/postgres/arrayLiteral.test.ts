import { describe, expect, it } from 'vitest';
import { arrayLiteral } from './arrayLiteral.ts';

describe('an array of PostgreSQL', () => {
  it.each<[string, Parameters<typeof arrayLiteral>[0], string]>([
    ['is empty', [], '{}'],
    ['has numbers and nothing as they are', [1, -2.5, null], '{1,-2.5,NULL}'],
    ['quotes every text, so that the word NULL and an empty one stay texts', ['NULL', ''], '{"NULL",""}'],
    ['escapes quotes and backslashes alone', ['{"a":"\\n"}'], '{"{\\"a\\":\\"\\\\n\\"}"}'],
    ['leaves control characters as they are', ['a\nb\t"c\\'], '{"a\nb\t\\"c\\\\"}'],
    ['leaves letters of every script as they are', ['Zoë 😀 "流程"'], '{"Zoë 😀 \\"流程\\""}'],
  ])('%s', (_, values, literal) => {
    expect(arrayLiteral(values)).toBe(literal);
  });
});
