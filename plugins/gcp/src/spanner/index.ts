import {
  anything,
  type Definition,
  duration,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  flag,
  listOf,
  mapOf,
  TaskFailed,
  text,
  toJsonValue,
  writeTypedRows,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineGcpTask, defineGcpTrigger, taskExample, triggerExample } from '../google/define.ts';
import { isMap, type Json, mapAt, mapsAt, numberAt, textAt } from '../google/json.ts';
import { toParameters } from './cells.ts';
import { Database, spannerProperties } from './database.ts';

const place = 'instanceId: my-instance\ndatabaseId: shop\n';
const parametersProperty = () =>
  mapOf(anything()).optional().describe('The values of the parameters `@name` in the statement.');

const query = defineGcpTask({
  type: 'gcp.spanner.Query',
  title: 'Run a query in Spanner',
  description: 'Runs a query and reads its rows from a stream, so that a result of any size can be stored.',
  properties: {
    ...spannerProperties,
    sql: text().describe('The query.'),
    parameters: parametersProperty(),
    fetchType: fetchTypeProperty('NONE'),
  },
  output: () => z.object(fetchedOutput),
  examples: [
    taskExample(
      'gcp.spanner.Query',
      'Store the rows of a table.',
      `${place}sql: SELECT * FROM orders WHERE state = @state\nparameters:\n  state: NEW\nfetchType: STORE`,
    ),
  ],
  run(cloud, input, context) {
    const database = new Database(cloud, context, input);
    return database.withSession((session) =>
      fetchRows(
        context,
        input.fetchType,
        database.query(session, { sql: input.sql, ...toParameters(input.parameters) }),
      ),
    );
  },
});

const affected = (stats: Json): number => numberAt(mapAt(stats, 'stats'), 'rowCountExact') ?? 0;

const execute = defineGcpTask({
  type: 'gcp.spanner.Execute',
  title: 'Change rows or the schema in Spanner',
  description:
    'Runs one statement: DML in a transaction, or with `isDdl` a change of the schema, whose end is waited for.',
  properties: {
    ...spannerProperties,
    sql: text().describe('The statement.'),
    parameters: parametersProperty(),
    isDdl: flag().default(false).describe('The statement changes the schema.'),
  },
  output: () => z.object({ affectedRows: z.number().describe('How many rows were changed.') }),
  examples: [
    taskExample(
      'gcp.spanner.Execute',
      'Change rows.',
      `${place}sql: UPDATE orders SET state = 'DONE' WHERE state = 'NEW'`,
    ),
  ],
  async run(cloud, input, context) {
    const database = new Database(cloud, context, input);
    if (input.isDdl) {
      await database.ddl([input.sql]);
      return { affectedRows: 0 };
    }
    const statement = { sql: input.sql, ...toParameters(input.parameters) };
    const result = await database.change((run, transaction) =>
      run('executeSql', { ...statement, transaction, seqno: '1' }),
    );
    return { affectedRows: affected(result) };
  },
});

const batchDml = defineGcpTask({
  type: 'gcp.spanner.BatchDml',
  title: 'Run several statements in Spanner',
  description: 'Runs DML statements in one transaction: all of them, or none.',
  properties: { ...spannerProperties, statements: listOf(text(), { min: 1 }).describe('The statements.') },
  output: () =>
    z.object({
      affectedRows: z.array(z.number()).describe('How many rows each statement changed.'),
      totalAffectedRows: z.number().describe('How many rows were changed in all.'),
    }),
  examples: [
    taskExample(
      'gcp.spanner.BatchDml',
      'Change two tables.',
      `${place}statements:\n  - DELETE FROM lines WHERE order_id = 1\n  - DELETE FROM orders WHERE id = 1`,
    ),
  ],
  async run(cloud, { statements, ...input }, context) {
    const database = new Database(cloud, context, input);
    const affectedRows = await database.change(async (run, transaction) => {
      const body = { transaction, seqno: '1', statements: statements.map((sql) => ({ sql })) };
      const answer = await run('executeBatchDml', body);
      const results = mapsAt(answer, 'resultSets');
      const failure = textAt(mapAt(answer, 'status'), 'message');
      if (failure !== undefined && results.length < statements.length)
        throw new TaskFailed(`Statement ${results.length + 1} failed: ${failure}`, { retry: false });
      return results.map(affected);
    });
    return { affectedRows, totalAffectedRows: affectedRows.reduce((sum, each) => sum + each, 0) };
  },
});

const databaseOutput = () => z.object({ database: z.string().describe('The database.') });

const createDatabase = defineGcpTask({
  type: 'gcp.spanner.CreateDatabase',
  title: 'Create a database in Spanner',
  description: 'Creates a database, with tables when `extraDdl` has them, and waits for it.',
  properties: {
    ...spannerProperties,
    extraDdl: listOf(text()).optional().describe('More statements, such as `CREATE TABLE`.'),
  },
  output: databaseOutput,
  examples: [
    taskExample(
      'gcp.spanner.CreateDatabase',
      'Create a database.',
      `${place}extraDdl:\n  - CREATE TABLE orders (id INT64) PRIMARY KEY (id)`,
    ),
  ],
  async run(cloud, input, context) {
    await new Database(cloud, context, input).create(input.extraDdl ?? []);
    return { database: input.databaseId };
  },
});

const deleteDatabase = defineGcpTask({
  type: 'gcp.spanner.DeleteDatabase',
  title: 'Delete a database in Spanner',
  description: 'Deletes a database with all its rows.',
  properties: spannerProperties,
  output: databaseOutput,
  examples: [taskExample('gcp.spanner.DeleteDatabase', 'Delete a database.', place.trim())],
  async run(cloud, input, context) {
    await new Database(cloud, context, input).drop();
    return { database: input.databaseId };
  },
});

const Memory = z.object({ until: z.string() });

const trigger = defineGcpTrigger({
  type: 'gcp.spanner.Trigger',
  title: 'Start when rows change in Spanner',
  description: `Reads a change stream every \`interval\` and starts one execution for all changes since the last poll. Each row of the file is one record of the stream,
with its table, kind and changed rows (\`mods\`).`,
  properties: {
    ...spannerProperties,
    changeStreamName: text().describe('The change stream.'),
    lookback: duration().optional().describe('How far the first poll looks back; one interval when absent.'),
  },
  output: () =>
    z.object({
      rowCount: z.number().describe('How many rows have changed.'),
      changeCount: z.number().describe('How many records the file has.'),
      uri: z.string().describe('The file.'),
    }),
  examples: [
    triggerExample(
      'gcp.spanner.Trigger',
      'Handle changes.',
      `${place}changeStreamName: order_changes\ninterval: PT1M`,
      '{{ trigger.uri }}',
    ),
  ],
  async poll(cloud, input, context) {
    const memory = Memory.safeParse(context.memory);
    const end = new Date().toISOString();
    const start = memory.success
      ? memory.data.until
      : new Date(Date.now() - (input.lookback ?? input.interval)).toISOString();
    const database = new Database(cloud, context, input);
    const total = { rowCount: 0, changeCount: 0 };
    const uri = await database.withSession(async (session) => {
      const changes = readChanges(database, session, { name: input.changeStreamName, start, end });
      const first = await changes.next();
      if (first.done) return undefined;
      const records = async function* () {
        for (let next: IteratorResult<Json> = first; !next.done; next = await changes.next()) {
          total.changeCount++;
          total.rowCount += mapsAt(next.value, 'mods').length;
          yield next.value;
        }
      };
      return context.files.put('changes.ion', writeTypedRows(records(), context.signal).content);
    });
    context.remember({ until: end });
    return uri === undefined ? undefined : { ...total, uri };
  },
});

interface Window {
  readonly name: string;
  readonly start: string;
  readonly end: string;
}

/** The data records of all partitions of a stream; the first query only names the partitions. */
async function* readChanges(
  database: Database,
  session: string,
  { name, start, end }: Window,
): AsyncGenerator<Json> {
  if (!/^[A-Za-z]\w*$/.test(name))
    throw new TaskFailed(`"changeStreamName" must be a name of letters, digits and "_", got "${name}".`, {
      retry: false,
    });
  const open: { token: string | null; from: string }[] = [{ token: null, from: start }];
  const known = new Set<string>();
  const sql = `SELECT ChangeRecord FROM READ_${name}(start_timestamp => @start, end_timestamp => @end, partition_token => @token, heartbeat_milliseconds => 300000)`;
  const text = { code: 'STRING' };
  const time = { code: 'TIMESTAMP' };
  for (let next = open.shift(); next; next = open.shift()) {
    const params = { start: next.from, end, token: next.token };
    for await (const row of database.query(session, {
      sql,
      params,
      paramTypes: { start: time, end: time, token: text },
    })) {
      const records = toJsonValue(row.ChangeRecord);
      for (const record of Array.isArray(records) ? records.filter(isMap) : []) {
        for (const data of mapsAt(record, 'data_change_record')) yield data;
        for (const child of mapsAt(record, 'child_partitions_record'))
          for (const partition of mapsAt(child, 'child_partitions')) {
            const token = textAt(partition, 'token') ?? '';
            if (known.has(token)) continue;
            known.add(token);
            open.push({ token, from: textAt(child, 'start_timestamp') ?? start });
          }
      }
    }
  }
}

export const spannerTypes: readonly Definition[] = [
  query,
  execute,
  batchDml,
  createDatabase,
  deleteDatabase,
  trigger,
];
