import {
  type Definition,
  fetchRows,
  fetchTypeProperty,
  integer,
  listOf,
  mapOf,
  part,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import {
  count,
  counter,
  defineGcpTask,
  defineGcpTrigger,
  taskExample,
  triggerExample,
} from '../google/define.ts';
import { dropMissing, type Json } from '../google/json.ts';
import {
  adminUrl,
  type BigtableRow,
  bigtableProperties,
  dataUrl,
  mutateRows,
  rangeProperties,
  readTableRows,
  rowsOf,
  toBytes,
} from './rows.ts';

const tableProperties = { ...bigtableProperties, tableId: text().describe('The table.') };
const place = 'instanceId: my-instance\ntableId: orders\n';

const createTable = defineGcpTask({
  type: 'gcp.bigtable.CreateTable',
  title: 'Create a table in Bigtable',
  description: 'Creates a table with column families that keep the newest version of each cell.',
  properties: {
    ...tableProperties,
    columnFamilies: listOf(text()).optional().describe('The column families.'),
  },
  output: () =>
    z.object({
      tableId: z.string().describe('The table.'),
      columnFamilyCount: z.number().describe('How many column families it has.'),
    }),
  examples: [taskExample('gcp.bigtable.CreateTable', 'Create a table.', `${place}columnFamilies:\n  - info`)],
  async run({ google }, input) {
    const families = input.columnFamilies ?? [];
    const columnFamilies = Object.fromEntries(
      families.map((name) => [name, { gcRule: { maxNumVersions: 1 } }]),
    );
    await google.post(adminUrl(input), { tableId: input.tableId, table: { columnFamilies } });
    return { tableId: input.tableId, columnFamilyCount: families.length };
  },
});

const deleteTable = defineGcpTask({
  type: 'gcp.bigtable.DeleteTable',
  title: 'Delete a table in Bigtable',
  description: 'Deletes a table with all its rows.',
  properties: tableProperties,
  output: () => z.object({ tableId: z.string().describe('The table.') }),
  examples: [taskExample('gcp.bigtable.DeleteTable', 'Delete a table.', place.trim())],
  async run({ google }, input) {
    await google.json({ url: `${adminUrl(input)}/${segment(input.tableId)}`, method: 'DELETE' });
    return { tableId: input.tableId };
  },
});

const writeRows = defineGcpTask({
  type: 'gcp.bigtable.WriteRows',
  title: 'Write rows to Bigtable',
  description:
    'Sets and deletes cells. Each row is changed as a whole, but rows are independent of each other.',
  properties: {
    ...tableProperties,
    columnFamily: text().optional().describe('The column family of rows that name none.'),
    rows: listOf(
      part({
        rowKey: text().describe('The key.'),
        columnFamily: text().optional().describe('The column family.'),
        cells: mapOf(text()).optional().describe('Values by the name of their column.'),
        deleteCells: listOf(text()).optional().describe('Columns whose value is deleted.'),
      }),
    ).describe('The rows.'),
  },
  output: () => z.object({ rowCount: z.number().describe('How many rows were written.') }),
  metrics: [counter('rows.written', 'How many rows were written.')],
  examples: [
    taskExample(
      'gcp.bigtable.WriteRows',
      'Write a row.',
      `${place}columnFamily: info\nrows:\n  - rowKey: "1"\n    cells:\n      customer: Ada\n      amount: "10"`,
    ),
  ],
  async run({ google }, input, context) {
    const entries = input.rows.map(({ rowKey, columnFamily, cells = {}, deleteCells = [] }) => {
      const familyName = columnFamily ?? input.columnFamily ?? '';
      return {
        rowKey: toBytes(rowKey),
        mutations: [
          ...Object.entries(cells).map(([name, value]) => ({
            setCell: {
              familyName,
              columnQualifier: toBytes(name),
              timestampMicros: '-1',
              value: toBytes(value),
            },
          })),
          ...deleteCells.map((name) => ({
            deleteFromColumn: { familyName, columnQualifier: toBytes(name) },
          })),
        ],
      };
    });
    await mutateRows(google, dataUrl(input), entries);
    count(context, { 'rows.written': entries.length });
    return { rowCount: entries.length };
  },
});

const rowOutput = () =>
  z
    .record(z.string(), z.unknown())
    .describe('`rowKey`, and in `cells` the values by column family and column.');

const familyFilter = (family: string | undefined): Json | undefined =>
  family === undefined ? undefined : { familyNameRegexFilter: family.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') };

/** The newest version of each cell is enough. */
const filterOf = (family: string | undefined, since?: number): Json => {
  const filters = [
    { cellsPerColumnLimitFilter: 1 },
    familyFilter(family),
    since === undefined
      ? undefined
      : { timestampRangeFilter: { startTimestampMicros: String(since * 1000) } },
  ].filter((each) => each !== undefined);
  return filters.length === 1 ? (filters[0] ?? {}) : { chain: { filters } };
};

const readRows = defineGcpTask({
  type: 'gcp.bigtable.ReadRows',
  title: 'Read rows of Bigtable',
  description:
    'Reads the rows of a range, or all rows of a table. A row has its `rowKey`, and in `cells` the newest values as text, by column family and column.',
  properties: {
    ...tableProperties,
    ...rangeProperties,
    columnFamily: text().optional().describe('Only this column family.'),
    limit: integer({ min: 1 }).optional().describe('The most rows that are read.'),
    fetchType: fetchTypeProperty('STORE'),
  },
  output: () =>
    z.object({
      rowCount: z.number().describe('How many rows were read.'),
      row: rowOutput()
        .nullable()
        .optional()
        .describe('The first row, with `FETCH_ONE`; null when there was none.'),
      rows: z.array(rowOutput()).optional().describe('The rows, with `FETCH`.'),
      uri: z.string().optional().describe('A file with the rows, with `STORE`.'),
    }),
  examples: [
    taskExample(
      'gcp.bigtable.ReadRows',
      'Read rows with a prefix.',
      `${place}rowKeyPrefix: "2026-"\nfetchType: FETCH`,
    ),
  ],
  async run({ google }, input, context) {
    const request = dropMissing({
      rows: rowsOf(input),
      filter: filterOf(input.columnFamily),
      rowsLimit: input.limit === undefined ? undefined : String(input.limit),
    });
    const { size, ...kept } = await fetchRows(
      context,
      input.fetchType,
      readTableRows(google, dataUrl(input), request),
    );
    return { rowCount: size, ...kept };
  },
});

const deleteRows = defineGcpTask({
  type: 'gcp.bigtable.DeleteRows',
  title: 'Delete rows of Bigtable',
  description: 'Deletes rows by their keys, a range or a prefix. Without any of them nothing is deleted.',
  properties: {
    ...tableProperties,
    rowKeys: listOf(text()).optional().describe('The keys.'),
    ...rangeProperties,
  },
  output: () => z.object({ rowCount: z.number().describe('How many rows were deleted.') }),
  examples: [
    taskExample('gcp.bigtable.DeleteRows', 'Delete rows with a prefix.', `${place}rowKeyPrefix: "2025-"`),
  ],
  async run({ google }, input) {
    const rows = rowsOf(input, input.rowKeys);
    if (!rows) return { rowCount: 0 };
    const url = dataUrl(input);
    let batch: Json[] = [];
    let rowCount = 0;
    const flush = async () => {
      await mutateRows(google, url, batch);
      rowCount += batch.length;
      batch = [];
    };
    const filter = { chain: { filters: [{ cellsPerRowLimitFilter: 1 }, { stripValueTransformer: true }] } };
    for await (const { rowKey } of readTableRows(google, url, { rows, filter })) {
      batch.push({ rowKey: toBytes(rowKey), mutations: [{ deleteFromRow: {} }] });
      if (batch.length >= 1000) await flush();
    }
    await flush();
    return { rowCount };
  },
});

const trigger = defineGcpTrigger({
  type: 'gcp.bigtable.Trigger',
  title: 'Start when rows are written to Bigtable',
  description:
    'Polls for cells that were written since the last poll every `interval`, and starts one execution for all their rows. The first poll looks back over `lookbackSeconds`.',
  properties: {
    ...tableProperties,
    ...rangeProperties,
    columnFamily: text().optional().describe('Only this column family.'),
    lookbackSeconds: integer({ min: 1 })
      .optional()
      .describe('How far the first poll looks back; one interval when absent.'),
    maxRows: integer({ min: 1 }).default(1000).describe('The most rows of one poll.'),
  },
  output: () =>
    z.object({
      rowCount: z.number().describe('How many rows were found.'),
      rows: z.array(rowOutput()).describe('The rows.'),
    }),
  examples: [
    triggerExample(
      'gcp.bigtable.Trigger',
      'Handle new rows.',
      `${place}interval: PT1M`,
      '{{ trigger.rowCount }}',
    ),
  ],
  async poll({ google }, input, context) {
    const memory = z.object({ until: z.number() }).safeParse(context.memory);
    const until = Date.now();
    const since = memory.success
      ? memory.data.until
      : until - (input.lookbackSeconds ?? input.interval / 1000) * 1000;
    const rows: BigtableRow[] = [];
    const request = dropMissing({
      rows: rowsOf(input),
      filter: filterOf(input.columnFamily, since),
      rowsLimit: String(input.maxRows),
    });
    for await (const row of readTableRows(google, dataUrl(input), request)) rows.push(row);
    context.remember({ until });
    return rows.length === 0 ? undefined : { rowCount: rows.length, rows };
  },
});

export const bigtableTypes: readonly Definition[] = [
  createTable,
  deleteTable,
  writeRows,
  readRows,
  deleteRows,
  trigger,
];
