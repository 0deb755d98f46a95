import { readTypedRows, writeTypedRows } from '@millrace/plugin-kit';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { generate, generateRealtime, generateTrigger } from './generate.ts';
import { pseudonymize } from './pseudonymize.ts';

const json = (value: unknown, more = {}) => ({
  type: 'datagen.generators.JsonObjectGenerator',
  value,
  ...more,
});

test('a template is filled, with types, arguments and nesting', async () => {
  const value = {
    name: '#{name.firstName} #{Name.last_name}',
    age: "#{number.numberBetween '18','20'}",
    ok: '#{bool.bool}',
    code: "#{regexify '[A-C]{3}'}-#{numerify '##'}",
    pick: "#{options.option 'it''s','it''s'}",
    list: ['#{internet.emailAddress}', 7],
    plain: 'text',
  };
  const outputs = await runType(generate, { generator: json(value) });
  expect(outputs.value).toMatchObject({
    name: expect.stringMatching(/^\S+ .+$/),
    ok: expect.any(Boolean),
    code: expect.stringMatching(/^[A-C]{3}-\d\d$/),
    pick: "it's",
    list: [expect.stringContaining('@'), 7],
    plain: 'text',
  });
  expect([18, 19]).toContain((outputs.value as { age: number }).age);
  expect(outputs).toMatchObject({ count: 1, size: expect.any(Number) });
});

test('a batch is stored as rows', async () => {
  const context = aTaskContext();
  const generator = {
    type: 'io.kestra.plugin.datagen.generators.StringValueGenerator',
    value: 'Hi #{name.firstName}',
    locale: ['de'],
  };
  const { uri, count } = await runType(generate, { store: true, batchSize: 25, generator }, context);
  const rows = [];
  for await (const row of readTypedRows(context, String(uri))) rows.push(row);
  expect([count, rows.length]).toEqual([25, 25]);
  expect(rows[0]).toMatch(/^Hi \S+/);
});

test('random bytes have their size', async () => {
  const outputs = await runType(generate, {
    generator: { type: 'datagen.generators.RandomBytesGenerator', size: 12 },
  });
  expect(Buffer.from(String(outputs.value), 'base64')).toHaveLength(12);
  expect(outputs.size).toBe(12);
});

test('says what is unknown', async () => {
  await expect(runType(generate, { generator: json({ a: '#{no.such}' }) })).rejects.toThrow(
    '"#{no.such}" is unknown',
  );
  await expect(runType(generate, { generator: json({}, { locale: ['xx'] }) })).rejects.toThrow(
    'The locale "xx" is unknown',
  );
  await expect(runType(generate, { generator: { type: 'Nope' } })).rejects.toThrow(
    'The generator "Nope" is unknown',
  );
});

test('the triggers make values', async () => {
  const context = aTaskContext();
  const properties = { generator: json({ a: '#{lorem.word}' }) };
  expect(await generateTrigger.poll?.(context, generateTrigger.input.parse(properties))).toMatchObject({
    count: 1,
  });
  const emitted: unknown[] = [];
  const input = generateRealtime.input.parse({ ...properties, maxRecords: 3, throughput: 1000 });
  await generateRealtime.listen?.(context, input, async (outputs) => void emitted.push(outputs));
  expect(emitted).toHaveLength(3);
});

test('fields are replaced, equal values by equal ones', async () => {
  const context = aTaskContext();
  const rows = [{ name: 'Ada', n: 1 }, { name: 'Bob', n: 2 }, { name: 'Ada', n: null }, 'text'];
  const from = await context.files.put('rows.jsonl', writeTypedRows(rows).content);
  const { uri, count } = await runType(
    pseudonymize,
    { from, fields: { name: '#{internet.uuid}', n: '#{name.firstName}' } },
    context,
  );
  const made: unknown[] = [];
  for await (const row of readTypedRows(context, String(uri))) made.push(row);
  const [first, second, third] = made as { name: string; n: unknown }[];
  expect(count).toBe(4);
  expect(first?.name).not.toBe('Ada');
  expect(third?.name).toBe(first?.name);
  expect(second?.name).not.toBe(first?.name);
  expect(third?.n).toBeNull();
});

test('rows in one JSON list are replaced too', async () => {
  const context = aTaskContext();
  const from = await context.files.put('rows.json', '[{"name":"Ada"},{"name":"Bob"}]');
  const { uri } = await runType(pseudonymize, { from, contentType: 'JSON', fields: { name: 'x' } }, context);
  expect(await context.files.text(String(uri))).toBe('[{"name":"x"},{"name":"x"}]\n');
});

test('CSV files keep their columns, quotes and line breaks', async () => {
  const context = aTaskContext();
  const text = 'name,note\r\nAda,"says ""hi"",\nü"\r\n\r\n"",plain\nBob,';
  const from = await context.files.put('people.csv', text);
  const { uri, count } = await runType(
    pseudonymize,
    { from, contentType: 'CSV', fields: { name: 'X, Y' } },
    context,
  );
  expect(count).toBe(3);
  expect(await context.files.text(String(uri))).toBe(
    'name,note\n"X, Y","says ""hi"",\nü"\n,plain\n"X, Y",\n',
  );
  const broken = await context.files.put('broken.csv', 'a\n"open');
  await expect(runType(pseudonymize, { from: broken, contentType: 'CSV' }, context)).rejects.toThrow(
    'inside a quoted field',
  );
});
