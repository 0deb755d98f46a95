import { spawnSync } from 'node:child_process';
import { Instant, LocalDate } from '@millrace/expression';
import { describe, expect, test } from 'vitest';
import { convertFile, convertRowsTo, rowsOf, textOf } from '../testing/convert.ts';
import { ionToXml } from './ionToXml.ts';
import { xmlToIon } from './xmlToIon.ts';

const read = async (xml: string, properties = {}) => rowsOf(await convertFile(xmlToIon, xml, properties));

const catalog = `<?xml version="1.0"?>
<catalog year="2026">
  <book id="1"><title>A &amp; B</title><author>X</author><price>9.5</price><stock>true</stock></book>
  <book id="02"><title><![CDATA[<C>]]></title><author>Y</author><author>Z</author>note</book>
</catalog>`;

describe('XmlToIon', () => {
  test('each element at the path is a row', async () => {
    expect(await read(catalog, { query: '/catalog/book' })).toEqual([
      { id: 1, title: 'A & B', author: 'X', price: 9.5, stock: true },
      { id: '02', title: '<C>', author: ['Y', 'Z'], content: 'note' },
    ]);
    expect(await read(catalog, { query: '/catalog/*/author' })).toEqual(['X', 'Y', 'Z']);
    await expect(read(catalog, { query: 'book' })).rejects.toThrow('"query" must be a path');
  });

  test('elements can be lists although there is one', async () => {
    const [first] = await read(catalog, {
      query: '/catalog/book',
      parserConfiguration: { forceList: ['author'] },
    });
    expect(first).toMatchObject({ author: ['X'] });
  });

  test('without a path a root of equal elements gives rows, any other document is one row', async () => {
    expect(await read('<items><item>1</item><item>x</item></items>')).toEqual([1, 'x']);
    expect(await read('<a><b>1</b><c/></a>')).toEqual([{ a: { b: 1, c: '' } }]);
    expect(await read(catalog)).toHaveLength(1);
  });

  test('says on which line the file is wrong', async () => {
    await expect(read('<a>\n<b></a>')).rejects.toThrow(
      /Line 2, column \d+ is invalid XML: unexpected close tag/,
    );
    await expect(read('<a>')).rejects.toThrow('is invalid XML');
  });

  test('entities of the document are not expanded', async () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x "xxxx"><!ENTITY y "&x;&x;">]><a>&y;</a>';
    await expect(read(bomb)).rejects.toThrow('is invalid XML');
  });
});

describe('IonToXml', () => {
  const rows = [
    {
      name: 'A & <B>',
      'first name': 'x',
      n: null,
      list: [1, 2],
      inner: { at: new Instant(0, 0), day: new LocalDate(0) },
    },
    { name: 'ü\u0001', n: 5 },
  ];

  test('writes what Python reads', async () => {
    const xml = await textOf(await convertRowsTo(ionToXml, rows, { rootName: 'orders' }));
    const script = `
import sys, json, xml.etree.ElementTree as E
def v(e): return {c.tag: v(c) for c in e} if len(e) else e.text
root = E.fromstring(sys.stdin.buffer.read())
print(json.dumps([root.tag, [[c.tag for c in r] for r in root], v(root[0])]))`;
    const { stdout, stderr } = spawnSync('python3', ['-X', 'utf8', '-c', script], {
      input: xml,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([
      'orders',
      [
        ['name', 'first_name', 'n', 'list', 'list', 'inner'],
        ['name', 'n'],
      ],
      {
        name: 'A & <B>',
        first_name: 'x',
        n: null,
        list: '2',
        inner: { at: '1970-01-01T00:00:00.000Z', day: '1970-01-01' },
      },
    ]);
  });

  test('what it writes is read again', async () => {
    const simple = [
      { a: 'x', b: [1, 2], c: { d: 'y' } },
      { a: 'z', b: [3, 4], c: { d: true } },
    ];
    const xml = await textOf(await convertRowsTo(ionToXml, simple));
    expect(await read(xml, { query: '/items/item' })).toEqual(simple);
  });

  test('the root needs a name that XML accepts', async () => {
    await expect(convertRowsTo(ionToXml, [], { rootName: '1 x' })).rejects.toThrow(
      '"rootName" must be a name in XML',
    );
  });
});
