import { expect, test } from 'vitest';
import { type JsonPath, readJsonValues } from './jsonValues.ts';

async function read(text: string, isWanted: (path: JsonPath) => boolean, chunkLength = 3) {
  async function* chunks() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += chunkLength) yield bytes.subarray(at, at + chunkLength);
  }
  const found: [string, unknown][] = [];
  for await (const { path, value } of readJsonValues(chunks(), isWanted)) found.push([path.join('.'), value]);
  return found;
}

const document = `{
  "request": "a]}\\"b",
  "results": [ {"id": 1, "list": [1, {"x": "},"}], "ü": null}, [2], "three", 4.5, true, 9007199254740993 ],
  "empty": [], "nested": {"results": [9]},
  "status": "success"
}`;

test.each([1, 3, 1000])(
  'the items of one list and a scalar are read, in chunks of %i bytes',
  async (size) => {
    const found = await read(
      document,
      (path) => (path.length === 2 && path[0] === 'results') || path.join('.') === 'status',
      size,
    );
    expect(found).toEqual([
      ['results.0', { id: 1, list: [1, { x: '},' }], ü: null }],
      ['results.1', [2]],
      ['results.2', 'three'],
      ['results.3', 4.5],
      ['results.4', true],
      ['results.5', 9007199254740993n],
      ['status', 'success'],
    ]);
  },
);

test('the whole document and scalars can be wanted', async () => {
  expect(await read('[1, "a"]', (path) => path.length === 0)).toEqual([['', [1, 'a']]]);
  expect(await read(' 12 ', () => true)).toEqual([['', 12]]);
  expect(
    await read('[{"status":"OK","result":[]},{"status":"ERR"}]', (path) => path[1] === 'status'),
  ).toEqual([
    ['0.status', 'OK'],
    ['1.status', 'ERR'],
  ]);
  await expect(read('{"a": [1', () => false)).rejects.toThrow('ends too early');
});
