import { Decimal, LocalDate } from '@millrace/expression';
import { expect, test } from 'vitest';
import { fetchRows } from './fetchRows.ts';
import { aTaskContext } from './testing/index.ts';

const rows = [
  { id: 9007199254740993n, at: new Date(0), day: new LocalDate(0) },
  { id: 2, bytes: Buffer.from('hi'), price: new Decimal(150n, 2), nested: { list: [1n, Number.NaN, null] } },
];

test('rows in outputs are plain JSON', async () => {
  const context = aTaskContext();
  const first = { id: '9007199254740993', at: '1970-01-01T00:00:00.000Z', day: '1970-01-01' };
  const second = { id: 2, bytes: 'aGk=', price: '1.50', nested: { list: [1, 'NaN', null] } };
  expect(await fetchRows(context, 'FETCH', rows)).toEqual({ rows: [first, second], size: 2 });
  expect(await fetchRows(context, 'FETCH_ONE', rows)).toEqual({ row: first, size: 1 });
  expect(await fetchRows(context, 'FETCH_ONE', [])).toEqual({ row: null, size: 0 });
  expect(await fetchRows(context, 'NONE', rows)).toEqual({ size: 2 });
});

test('rows of a file keep their types', async () => {
  const context = aTaskContext();
  const { uri, size } = await fetchRows(context, 'STORE', rows);
  expect(size).toBe(2);
  expect(await context.files.text(String(uri))).toBe(
    '{"id":9007199254740993,"at":1970-01-01T00:00:00Z,"day":1970-01-01}\n{"id":2,"bytes":{{aGk=}},"price":1.50d0,"nested":{"list":[1,nan,null]}}\n',
  );
});

test('a result that outputs cannot hold is refused with the way out', async () => {
  async function* endless() {
    for (;;) yield { text: 'x'.repeat(1_000_000) };
  }
  await expect(fetchRows(aTaskContext(), 'FETCH', endless())).rejects.toThrow('Use "fetchType: STORE"');
});
