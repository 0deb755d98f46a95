import { expect } from 'vitest';
import type { Case, Cases, Running } from './case.ts';
import type { Services } from './services.ts';

const orders = { fileName: 'orders.csv', content: 'customer_id,amount\n1,90\n2,200\n1,300\n' };

/** Puts the database of the test in the place of the one in the blueprint. */
export async function postgresEdits(services: Services) {
  return [[/jdbc:postgresql:\/\/[\w.]+:\d+\/\w+/g, await postgresUrl(services)]] as const;
}

export async function postgresUrl(services: Services): Promise<string> {
  const { host, pathname } = new URL((await services.postgres()).url);
  return `jdbc:postgresql://${host}${pathname}`;
}

/** Prepares the tables that a blueprint expects. */
export const tables =
  (...statements: readonly string[]) =>
  async ({ services }: Running): Promise<void> => {
    const database = await services.postgres();
    for (const statement of statements) await database.query(statement);
  };

const rowsOf = async ({ services }: Running, sql: string) => (await services.postgres()).query(sql);

/** Blueprints with a user of the database that the test does not have. */
export const asOwner = async (services: Services) =>
  [...(await postgresEdits(services)), [/username: (loader|reader|alice)\b/g, 'username: postgres']] as const;

/** A blueprint that takes the database as an input. */
const withInputs = (more: Partial<Case> = {}): Case => ({
  edits: postgresEdits,
  before: tables(
    'DROP TABLE IF EXISTS orders',
    'CREATE TABLE orders (customer_id int, amount numeric)',
    'INSERT INTO orders VALUES (1, 90), (2, 200), (1, 300)',
  ),
  ...more,
});

export const databaseCases: Cases = {
  'load-csv-into-postgresql': withInputs({
    inputs: { orders },
    check: ({ messages }) => expect(messages).toContain('3 orders loaded'),
  }),
  'postgresql-to-parquet': withInputs({
    check: async (ended) => {
      const { parquet } = ended.output('aggregate').outputFiles as { parquet: string };
      expect((await ended.file(parquet)).subarray(0, 4).toString()).toBe('PAR1');
    },
  }),
  'check-data-with-sql': withInputs({
    check: ({ messages }) => expect(messages).toContain('All orders are good.'),
  }),
  'export-a-table-every-night': withInputs({
    check: async (ended) =>
      expect(String(await ended.file(ended.output('export').uri))).toBe(
        'customer_id,amount\n1,90\n1,300\n2,200\n',
      ),
  }),
  'nightly-warehouse-load': withInputs({
    before: tables('DROP TABLE IF EXISTS revenue'),
    inputs: { orders },
    check: async (_, running) =>
      expect(await rowsOf(running, 'SELECT customer_id, amount::int FROM revenue ORDER BY 1')).toEqual([
        { customer_id: 1, amount: 390 },
        { customer_id: 2, amount: 200 },
      ]),
  }),
  'copy-rows-between-databases': {
    edits: async (services) => [
      ...(await postgresEdits(services)),
      ['localhost:3306', `127.0.0.1:${(await services.mariadb()).port}`],
    ],
    before: async (running) => {
      await tables(
        'DROP TABLE IF EXISTS orders',
        'CREATE TABLE orders (id int PRIMARY KEY, amount numeric, created_at timestamp)',
        'INSERT INTO orders VALUES (1, 1, now())',
      )(running);
      const server = await running.services.mariadb();
      await server.execute(
        'CREATE TABLE shop.orders (id int, amount decimal(10, 2), created_at datetime);' +
          "INSERT INTO shop.orders VALUES (1, 90.5, now()), (2, 200, now()), (3, 300, '2020-01-01')",
      );
    },
    check: async (_, running) =>
      expect(await rowsOf(running, 'SELECT id, amount::float FROM orders ORDER BY 1')).toEqual([
        { id: 1, amount: 90.5 },
        { id: 2, amount: 200 },
      ]),
  },
  'new-rows-start-a-flow': {
    edits: async (services) => [...(await postgresEdits(services)), ['interval: PT1M', 'interval: PT1S']],
    before: tables(
      'DROP TABLE IF EXISTS orders',
      'CREATE TABLE orders (id int, amount int, handled_at timestamp)',
      'INSERT INTO orders VALUES (7, 90), (8, 20)',
    ),
    cause: () => {},
    check: async ({ messages }, running) => {
      expect(messages).toEqual(expect.arrayContaining(['Order 7', 'Order 8']));
      expect(await rowsOf(running, 'SELECT id FROM orders WHERE handled_at IS NULL')).toEqual([]);
    },
  },
  'test-data-to-postgresql': {
    edits: asOwner,
    before: tables(
      'DROP TABLE IF EXISTS customers',
      'CREATE TABLE customers (name text, email text, city text)',
    ),
    check: async (_, running) =>
      expect(
        await rowsOf(running, "SELECT count(*)::int AS n FROM customers WHERE email LIKE '%@%'"),
      ).toEqual([{ n: 1000 }]),
  },
  'search-index-from-database': {
    edits: asOwner,
    before: async (running) => {
      await tables(
        'DROP TABLE IF EXISTS products',
        'CREATE TABLE products (id int, name text, description text, price numeric, updated_at timestamptz)',
        "INSERT INTO products VALUES (1, 'Mill', 'A mill', 9.5, now()), (2, 'Old', '', 1, '2020-01-01')",
      )(running);
      const { internet } = running.services;
      internet.on(/\/indexes\/products\/documents$/, {
        status: 202,
        body: { taskUid: 1, status: 'enqueued' },
      });
      internet.on(/\/tasks\/1$/, { body: { uid: 1, status: 'succeeded' } });
    },
    check: (_, { services }) =>
      expect(services.internet.received.find(({ call }) => call.endsWith('/documents'))?.text).toContain(
        'Mill',
      ),
  },
};
