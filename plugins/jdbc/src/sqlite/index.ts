import { storageUri, text } from '@millrace/plugin-kit';
import { defineEmbedded, type EmbeddedKind } from '../embedded/defineEmbedded.ts';

const sqlite: EmbeddedKind = {
  driver: 'sqlite',
  name: 'sqlite',
  title: 'SQLite',
  schemes: ['jdbc:sqlite:'],
  syntax: { brackets: true },
  url: () =>
    text()
      .default('jdbc:sqlite:')
      .describe(
        'The JDBC URL. `jdbc:sqlite:` is a new database for this task; a path after it names a file.',
      ),
  properties: () => ({
    sqliteFile: storageUri()
      .optional()
      .describe('A stored database, copied into the working folder under the name in the URL.'),
  }),
  storedDatabase: ({ sqliteFile }) => (typeof sqliteFile === 'string' ? sqliteFile : undefined),
  extensions: () => [],
  prepare: async () => {},
  examples: {
    query: [
      {
        title: 'Query a stored database.',
        runs: false,
        code: `id: sqlite_query
namespace: company.team

inputs:
  - id: database
    type: FILE

tasks:
  - id: customers
    type: jdbc.sqlite.Query
    url: jdbc:sqlite:shop.db
    sqliteFile: "{{ inputs.database }}"
    sql: SELECT id, name FROM customers ORDER BY id
    fetchType: STORE
`,
      },
    ],
    queries: [
      {
        title: 'Make a database and store its file.',
        runs: true,
        code: `id: sqlite_queries
namespace: company.team

tasks:
  - id: shop
    type: jdbc.sqlite.Queries
    url: jdbc:sqlite:shop.db
    outputDbFile: true
    sql: |
      CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO customers (name) VALUES ('Ada'), ('Grace');
      SELECT count(*) AS customers FROM customers;
    fetchType: FETCH_ONE

  - id: again
    type: jdbc.sqlite.Query
    url: jdbc:sqlite:shop.db
    sqliteFile: "{{ outputs.shop.databaseUri }}"
    sql: SELECT name FROM customers ORDER BY id
    fetchType: FETCH
`,
      },
    ],
    trigger: [
      {
        title: 'When a database on this machine has open orders.',
        runs: false,
        code: `id: sqlite_trigger
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.rows }}"

triggers:
  - id: open_orders
    type: jdbc.sqlite.Trigger
    interval: PT5M
    url: jdbc:sqlite:/data/shop.db
    sql: SELECT id FROM orders WHERE seen = 0
    afterSQL: UPDATE orders SET seen = 1 WHERE seen = 0
`,
      },
    ],
  },
};

export const sqliteTypes = defineEmbedded(sqlite);
