import { describe, expect, test } from 'vitest';
import { bindParameters, bindPositions } from './bindParameters.ts';
import { inZone, localDateTime, timeInZone, withZone } from './dateTexts.js';
import { exactJson, exactNumber, parseExactJson, withScale } from './exactNumber.js';
import { insertRows } from './insertRows.ts';
import { afterScheme, parseNetworkUrl } from './jdbcUrl.ts';
import { lexSql, type SqlSyntax } from './lexSql.ts';
import { splitStatements } from './splitStatements.ts';

const plain: SqlSyntax = {};
const dollars: SqlSyntax = { dollars: true };

describe('scripts are split into statements', () => {
  test.each<[string, string, SqlSyntax, string[]]>([
    ['at semicolons', 'SELECT 1; SELECT 2;', plain, ['SELECT 1', 'SELECT 2']],
    ['not in texts', "SELECT ';''; '; SELECT 2", plain, ["SELECT ';''; '", 'SELECT 2']],
    ['not in names', 'SELECT 1 AS "a;b"; SELECT `c;d`', plain, ['SELECT 1 AS "a;b"', 'SELECT `c;d`']],
    [
      'not in brackets that quote',
      'SELECT [a;b]; SELECT 2',
      { brackets: true },
      ['SELECT [a;b]', 'SELECT 2'],
    ],
    [
      'not in comments',
      'SELECT 1 -- a; b\n; /* c; */ SELECT 2',
      plain,
      ['SELECT 1 -- a; b', '/* c; */ SELECT 2'],
    ],
    ['not in nested comments', '/* a /* ; */ ; */ SELECT 1', plain, ['/* a /* ; */ ; */ SELECT 1']],
    ['comments alone are nothing', '-- nothing\n;;/* here */', plain, []],
    [
      'not after a backslash',
      "SELECT 'a\\';b'; SELECT 2",
      { backslash: true },
      ["SELECT 'a\\';b'", 'SELECT 2'],
    ],
    ['not in dollar quotes', 'DO $x$ a; b $x$; SELECT 2', dollars, ['DO $x$ a; b $x$', 'SELECT 2']],
    [
      'not in a function of PostgreSQL',
      'CREATE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 1; END; $$ LANGUAGE plpgsql; SELECT 2',
      dollars,
      ['CREATE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 1; END; $$ LANGUAGE plpgsql', 'SELECT 2'],
    ],
    [
      'not in a procedure',
      'CREATE PROCEDURE p() BEGIN IF 1 THEN SELECT CASE WHEN 1 THEN 2 END; END IF; SELECT 3; END; SELECT 4',
      plain,
      [
        'CREATE PROCEDURE p() BEGIN IF 1 THEN SELECT CASE WHEN 1 THEN 2 END; END IF; SELECT 3; END',
        'SELECT 4',
      ],
    ],
    [
      'not in a trigger of SQLite',
      'CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE b SET c = 1; END; SELECT 1',
      plain,
      ['CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE b SET c = 1; END', 'SELECT 1'],
    ],
    ['transactions are statements', 'BEGIN; SELECT 1; COMMIT;', plain, ['BEGIN', 'SELECT 1', 'COMMIT']],
    [
      'also with their long name',
      'BEGIN TRANSACTION; SELECT 1; END;',
      plain,
      ['BEGIN TRANSACTION', 'SELECT 1', 'END'],
    ],
    [
      'not in PL/SQL, which keeps its last semicolon',
      'DECLARE x NUMBER; BEGIN x := 1; END; SELECT 1 FROM dual',
      { plsql: true },
      ['DECLARE x NUMBER; BEGIN x := 1; END;', 'SELECT 1 FROM dual'],
    ],
  ])('%s', (_, sql, syntax, expected) => {
    expect(splitStatements(sql, syntax)).toEqual(expected);
    expect([...lexSql(sql, syntax)].map(({ text }) => text).join('')).toBe(sql);
  });
});

test('parameters are bound in order, but not in texts, comments and casts', () => {
  const sql = "SELECT ':a', x::int, :a, :b, :a -- :b\n, j:field FROM t";
  expect(bindParameters(sql, { a: 1, b: null, field: undefined }, plain, (at) => `$${at}`)).toEqual({
    sql: "SELECT ':a', x::int, $1, $2, $3 -- :b\n, j$4 FROM t",
    values: [1, null, 1, null],
  });
  expect(bindParameters('SELECT :c', { a: 1 }, plain, () => '?').sql).toBe('SELECT :c');
});

test('positions are numbered where the database wants it', () => {
  expect(bindPositions("INSERT INTO t VALUES (?, '?', ?)", plain, (at) => `$${at}`)).toEqual({
    sql: "INSERT INTO t VALUES ($1, '?', $2)",
    count: 2,
  });
});

describe('rows of a batch', () => {
  const limits = { syntax: dollars, placeholder: (at: number) => `$${at}`, maxValues: 4 };
  const sent: [string, readonly unknown[]][] = [];
  const update = async (sql: string, values: readonly unknown[]) => {
    sent.push([sql, values]);
    return values.length / 2;
  };
  const rows = [
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ];

  test('share one insert up to the limit of values', async () => {
    sent.length = 0;
    const sql = 'INSERT INTO t (id, name) VALUES ($1, upper($2))';
    expect(await insertRows({ sql, rows }, limits, update)).toBe(3);
    expect(sent).toEqual([
      ['INSERT INTO t (id, name) VALUES ($1, upper($2)), ($3, upper($4))', [1, 'a', 2, 'b']],
      ['INSERT INTO t (id, name) VALUES ($1, upper($2))', [3, 'c']],
    ]);
  });

  test.each([
    'UPDATE t SET name = $2 WHERE id = $1',
    'INSERT INTO t VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = $2',
  ])('stay apart in %s', async (sql) => {
    sent.length = 0;
    await insertRows({ sql, rows }, limits, update);
    expect(sent.map(([text]) => text)).toEqual([sql, sql, sql]);
  });
});

describe('URLs', () => {
  test.each([
    ['//db:5433/shop?ssl=true&User=me', [{ host: 'db', port: 5433 }], 'shop', { ssl: 'true', user: 'me' }],
    [
      '//a,b:1/shop',
      [
        { host: 'a', port: 5 },
        { host: 'b', port: 1 },
      ],
      'shop',
      {},
    ],
    ['//[::1]:7/x', [{ host: '::1', port: 7 }], 'x', {}],
    ['shop', [{ host: 'localhost', port: 5 }], 'shop', {}],
    ['//me:p%40ss@db/x', [{ host: 'db', port: 5 }], 'x', { user: 'me', password: 'p@ss' }],
    [
      '//db;databaseName=a b;encrypt=true',
      [{ host: 'db', port: 5 }],
      '',
      { databasename: 'a b', encrypt: 'true' },
    ],
  ])('%s is read', (rest, hosts, path, options) => {
    const read = parseNetworkUrl(rest, 5);
    expect({ ...read, options: Object.fromEntries(read.options) }).toEqual({ hosts, path, options });
  });

  test('of another database are refused without their credentials', () => {
    const refused = () => afterScheme('jdbc:mysql://me:secret@db/x', ['jdbc:postgresql:'], 'PostgreSQL');
    expect(refused).toThrow('must start with "jdbc:postgresql:", got "jdbc:mysql:…"');
    expect(() => afterScheme(' ', ['jdbc:a:'], 'A')).toThrow('got an empty text');
  });
});

test.each([
  ['9007199254740993', '9007199254740993'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['12345678901234567.891', '12345678901234567.891'],
  ['0.100000000000000000', 0.1],
  ['9007199254740991', 9_007_199_254_740_991],
  ['12.50', 12.5],
  ['20.00', 20],
  ['-0.05', -0.05],
])('the number %s keeps its digits in files, and is %s in outputs', (text, expected) => {
  expect(exactJson(exactNumber(text))).toBe(text);
  expect(JSON.parse(JSON.stringify(exactNumber(text)))).toBe(expected);
});

test('a decimal gets the scale of its column', () => {
  expect([withScale('20', 2), withScale('-1.5', 4), withScale('7', 0), withScale('NaN', 2)]).toEqual([
    '20.00',
    '-1.5000',
    '7',
    'NaN',
  ]);
});

test('JSON keeps digits that JavaScript would round', () => {
  const text = '{"id":9007199254740993,"text":"9007199254740993","list":[1,12345678901234567890.5,20.00]}';
  expect(exactJson(parseExactJson(text))).toBe(text);
});

test('dates and times are shown on the clock of a zone', () => {
  expect(inZone('2026-07-01 10:00:00.120+00', 'Europe/Paris')).toBe('2026-07-01T12:00:00.12+02:00');
  expect(inZone('2026-01-01 10:00:00+05:30', 'UTC')).toBe('2026-01-01T04:30:00Z');
  expect(withZone('2026-01-01 10:00:00', 'America/New_York')).toBe('2026-01-01T10:00:00-05:00');
  expect(withZone('2026-01-01 10:00:00', '+02:00')).toBe('2026-01-01T10:00:00+02:00');
  expect(localDateTime('2026-01-01 10:00:00.123456')).toBe('2026-01-01T10:00:00.123456');
  expect(localDateTime('infinity')).toBe('infinity');
  expect(timeInZone('10:00:00+00', 'Asia/Tokyo', new Date(0))).toBe('19:00:00');
});
