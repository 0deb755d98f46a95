import { inputFiles, listOf, storageUri, text, writeInputFiles } from '@millrace/plugin-kit';
import { defineEmbedded, type EmbeddedKind } from '../embedded/defineEmbedded.ts';

const duckdb: EmbeddedKind = {
  driver: 'duckdb',
  name: 'duckdb',
  title: 'DuckDB',
  schemes: ['jdbc:duckdb:'],
  syntax: { dollars: true },
  url: () =>
    text()
      .default('jdbc:duckdb:')
      .describe(
        'The JDBC URL. `jdbc:duckdb:` is a new database for this task; a path after it names a file.',
      ),
  properties: () => ({
    inputFiles: inputFiles().optional(),
    databaseUri: storageUri()
      .optional()
      .describe('A stored database to start from, such as `databaseUri` of an earlier task.'),
    communityExtensions: listOf(text())
      .default(['ion'])
      .describe('Community extensions to install and load first. One that is not available is a warning.'),
  }),
  storedDatabase: ({ databaseUri }) => (typeof databaseUri === 'string' ? databaseUri : undefined),
  extensions: ({ communityExtensions, sql }) =>
    // `as`: read by the schema above. Rows are JSON, so Ion is only needed where it is named.
    (communityExtensions as readonly string[]).filter(
      (name) => name !== 'ion' || /\bread_ion\b|\.ion\b/i.test(sql),
    ),
  prepare: async (context, { inputFiles: files }) => {
    // `as`: read by the schema above.
    if (files !== undefined)
      await writeInputFiles(context, await context.workingDirectory(), files as Record<string, string>);
  },
  examples: {
    query: [
      {
        title: 'Query a CSV file.',
        runs: true,
        code: `id: duckdb_query
namespace: company.team

tasks:
  - id: by_country
    type: jdbc.duckdb.Query
    inputFiles:
      orders.csv: |
        country,amount
        France,10
        Spain,20
        France,5
    sql: |
      SELECT country, sum(amount) AS amount
      FROM read_csv('orders.csv')
      GROUP BY country
      ORDER BY country
    fetchType: FETCH

  - id: show
    type: core.log.Log
    message: "{{ outputs.by_country.rows }}"
`,
      },
    ],
    queries: [
      {
        title: 'Turn a CSV file into Parquet.',
        runs: true,
        code: `id: duckdb_queries
namespace: company.team

tasks:
  - id: convert
    type: jdbc.duckdb.Queries
    inputFiles:
      orders.csv: |
        country,amount
        France,10
        Spain,20
    outputFiles:
      - parquet
    sql: |
      CREATE TABLE orders AS FROM read_csv('orders.csv');
      COPY orders TO '{{ outputFiles.parquet }}' (FORMAT parquet);
      SELECT count(*) AS orders FROM orders;
    fetchType: FETCH_ONE

  - id: show
    type: core.log.Log
    message: "{{ outputs.convert.outputs[0].row.orders }} orders in {{ outputs.convert.outputFiles.parquet }}"
`,
      },
    ],
    trigger: [
      {
        title: 'When a file on the web has rows of today.',
        runs: false,
        code: `id: duckdb_trigger
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.rows }}"

triggers:
  - id: new_rows
    type: jdbc.duckdb.Trigger
    interval: PT1H
    sql: SELECT * FROM read_csv('https://example.com/orders.csv') WHERE day = current_date
    fetchType: FETCH
`,
      },
    ],
  },
};

export const duckdbTypes = defineEmbedded(duckdb);
