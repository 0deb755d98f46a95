import { expect, it } from 'vitest';
import { readObject } from './ForkDialog.tsx';

it('reads a JSON object and says why a text is none', () => {
  expect(readObject('{"a": [1]}')).toEqual({ value: { a: [1] } });
  expect(readObject(' \n')).toEqual({ value: {} });
  for (const text of ['[1]', 'null', '"a"', '1']) expect(readObject(text)).toEqual({ problem: 'notObject' });
  expect(readObject('{"a": }')).toMatchObject({ problem: 'notJson', reason: expect.any(String) });
});
