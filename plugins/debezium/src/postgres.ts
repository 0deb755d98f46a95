import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { choice, importModule, messageOf, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import type { Client } from 'pg';
import type { Pgoutput, PgoutputPlugin } from 'pg-logical-replication';
import { z } from 'zod';
import { type Change, type ChangeSource, createFilter, type Values } from './change.ts';
import { captureTypes, type SharedInput } from './database.ts';

const properties = () => ({
  database: text().describe('The database.'),
  pluginName: choice([
    'DECODERBUFS',
    'WAL2JSON',
    'WAL2JSON_RDS',
    'WAL2JSON_STREAMING',
    'WAL2JSON_RDS_STREAMING',
    'PGOUTPUT',
  ])
    .default('PGOUTPUT')
    .describe('The plugin that decodes changes. Only PGOUTPUT, which every server has, is supported.'),
  slotName: text().default('kestra').describe('The replication slot; it is created when it does not exist.'),
  publicationName: text()
    .default('kestra_publication')
    .describe('The publication; it is created for all tables when it does not exist.'),
  sslMode: choice(['DISABLE', 'REQUIRE', 'VERIFY_CA', 'VERIFY_FULL'])
    .default('DISABLE')
    .describe('Whether to use TLS.'),
  sslRootCert: text().optional().describe('The certificate authority, as PEM text.'),
  sslCert: text().optional().describe('The certificate of the client, as PEM text.'),
  sslKey: text().optional().describe('The key of the client, as PEM text.'),
  sslKeyPassword: text().optional().describe('The password of the key.'),
  snapshotMode: choice(['INITIAL', 'ALWAYS', 'NEVER', 'INITIAL_ONLY'])
    .default('INITIAL')
    .describe(
      'Whether the rows that are there are read first: when there is no position yet, always, or never.',
    ),
});

type PostgresInput = z.infer<z.ZodObject<ReturnType<typeof properties>>> &
  SharedInput & {
    readonly hostname: string;
    readonly port: string;
    readonly username?: string | undefined;
    readonly password?: string | undefined;
  };

/** `lsn`: the end of the last completely read transaction; `skip`: changes read of the next one. */
const Position = z.object({ lsn: z.string().optional(), skip: z.number().default(0) });

const connectTimeoutMs = 10_000;
/** How many changes are decoded at once; a transaction is never cut. */
const batchSize = 1_000;
const pauseMs = 200;

class PostgresSource implements ChangeSource {
  readonly resumesSnapshot = false;
  readonly #client: Client;
  readonly #input: PostgresInput;
  readonly #plugin: PgoutputPlugin;
  readonly #tables: (...names: readonly string[]) => boolean;
  readonly #columns: (...names: readonly string[]) => boolean;
  #changes: AsyncGenerator<Change> | undefined;
  #snapshot: AsyncGenerator<Change> | undefined;
  #lsn: string | undefined;
  #confirmed: string | undefined;
  #skip: number;
  #isClosed = false;

  constructor(
    client: Client,
    input: PostgresInput,
    plugin: PgoutputPlugin,
    position: z.infer<typeof Position>,
    takesSnapshot: boolean,
  ) {
    this.#client = client;
    this.#input = input;
    this.#plugin = plugin;
    this.#lsn = position.lsn;
    this.#skip = position.skip;
    this.#tables = createFilter(input.includedTables, input.excludedTables);
    this.#columns = createFilter(input.includedColumns, input.excludedColumns);
    if (takesSnapshot) this.#snapshot = this.#readTables();
  }

  isInSnapshot(): boolean {
    return this.#snapshot !== undefined;
  }

  position(): unknown {
    return { ...(this.#lsn !== undefined && { lsn: this.#lsn }), skip: this.#skip };
  }

  async next(waitMs: number): Promise<Change | undefined> {
    const row = await this.#snapshot?.next();
    if (row && !row.done) return row.value;
    this.#snapshot = undefined;
    if (this.#input.snapshotMode === 'INITIAL_ONLY') return undefined;
    for (const deadline = Date.now() + waitMs; ; await delay(pauseMs)) {
      this.#changes ??= this.#readLog();
      const change = await this.#changes.next();
      if (!change.done) return change.value;
      this.#changes = undefined;
      if (this.#isClosed || Date.now() >= deadline) return undefined;
    }
  }

  async confirm(): Promise<void> {
    if (this.#lsn === undefined || this.#lsn === this.#confirmed) return;
    this.#confirmed = this.#lsn;
    await this.#changes?.return(undefined);
    this.#changes = undefined;
    await this.#client.query(
      'SELECT pg_replication_slot_advance($1, $2::pg_lsn) FROM pg_replication_slots WHERE slot_name = $1 AND confirmed_flush_lsn < $2::pg_lsn',
      [this.#input.slotName, this.#lsn],
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client.end();
  }

  /** The rows of all tables, as they are at one moment. */
  async *#readTables(): AsyncGenerator<Change> {
    const { rows } = await this.#client.query<{ schema: string; name: string; key: string[] | null }>(
      `SELECT p.schemaname AS schema, p.tablename AS name,
         (SELECT array_agg(a.attname::text) FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
          WHERE i.indisprimary AND i.indrelid = format('%I.%I', p.schemaname, p.tablename)::regclass) AS key
       FROM pg_publication_tables p WHERE p.pubname = $1 ORDER BY 1, 2`,
      [this.#input.publicationName],
    );
    await this.#client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    try {
      for (const { schema, name, key } of rows) {
        if (!this.#isWanted(schema, name)) continue;
        const table = `${this.#client.escapeIdentifier(schema)}.${this.#client.escapeIdentifier(name)}`;
        for await (const row of this.#fetch(`SELECT * FROM ${table}`)) {
          const after = this.#visible(schema, name, row);
          const source = { connector: 'postgresql', snapshot: true };
          const id = `snapshot/${schema}.${name}/${JSON.stringify(pick(row, key ?? Object.keys(row)))}`;
          yield {
            ...this.#place(schema, name),
            operation: 'r',
            key: pick(row, key ?? []),
            before: null,
            after,
            timestamp: Date.now(),
            source,
            id,
          };
        }
      }
    } finally {
      await this.#client.query('COMMIT').catch(() => {});
    }
  }

  /** Streams unconfirmed changes by transaction. Reading them does not advance the replication slot. */
  async *#readLog(): AsyncGenerator<Change> {
    const { slotName, publicationName } = this.#input;
    let transaction = { lsn: '', xid: 0, at: 0 };
    let count = 0;
    let skip = this.#skip;
    let isOld = false;
    await this.#client.query('BEGIN');
    try {
      const [slot, publication] = [slotName, publicationName].map((name) => this.#client.escapeLiteral(name));
      const sql = `SELECT lsn::text AS lsn, data FROM pg_logical_slot_peek_binary_changes(${slot}, NULL, ${batchSize}, 'proto_version', '1', 'publication_names', ${publication})`;
      for await (const { data, lsn } of this.#fetch(sql)) {
        if (!(data instanceof Buffer)) continue;
        const message = this.#plugin.parse(data);
        if (message.tag === 'begin') {
          transaction = {
            lsn: String(message.commitLsn),
            xid: message.xid,
            at: Number(message.commitTime) / 1000,
          };
          count = 0;
          isOld = this.#lsn !== undefined && toNumber(transaction.lsn) < toNumber(this.#lsn);
        } else if (message.tag === 'commit') {
          if (isOld) continue;
          this.#lsn = String(message.commitEndLsn);
          this.#skip = 0;
          skip = 0;
        } else if (message.tag === 'insert' || message.tag === 'update' || message.tag === 'delete') {
          count++;
          if (isOld || count <= skip) continue;
          this.#skip = count;
          const change = this.#toChange(message, {
            ...transaction,
            lsn: String(lsn),
            number: count,
            commitLsn: transaction.lsn,
          });
          if (change) yield change;
        }
      }
    } finally {
      await this.#client.query('COMMIT').catch(() => {});
    }
  }

  #toChange(
    message: Pgoutput.MessageInsert | Pgoutput.MessageUpdate | Pgoutput.MessageDelete,
    place: {
      readonly lsn: string;
      readonly commitLsn: string;
      readonly number: number;
      readonly xid: number;
      readonly at: number;
    },
  ): Change | undefined {
    const { schema, name, keyColumns } = message.relation;
    if (!this.#isWanted(schema, name)) return undefined;
    const after: Values | null = message.tag === 'delete' ? null : message.new;
    const before: Values | null = message.tag === 'insert' ? null : (message.old ?? message.key ?? null);
    return {
      ...this.#place(schema, name),
      operation: message.tag === 'insert' ? 'c' : message.tag === 'update' ? 'u' : 'd',
      key: pick(after ?? before ?? {}, keyColumns),
      before: before && this.#visible(schema, name, before),
      after: after && this.#visible(schema, name, after),
      timestamp: place.at,
      source: { connector: 'postgresql', lsn: place.lsn, txId: place.xid, snapshot: false },
      id: `${this.#input.slotName}/${place.commitLsn}/${place.number}`,
    };
  }

  #place(schema: string, table: string) {
    return { database: this.#input.database, schema, table };
  }

  #isWanted(schema: string, table: string): boolean {
    return this.#tables(`${schema}.${table}`, `${this.#input.database}.${schema}.${table}`, table);
  }

  #visible(schema: string, table: string, row: Values): Values {
    return Object.fromEntries(
      Object.entries(row).filter(([column]) =>
        this.#columns(`${schema}.${table}.${column}`, `${table}.${column}`),
      ),
    );
  }

  /** Rows in pieces, so that a large result does not fill the memory. Must run inside a transaction. */
  async *#fetch(sql: string): AsyncGenerator<Record<string, unknown>> {
    await this.#client.query(`DECLARE changes NO SCROLL CURSOR FOR ${sql}`);
    try {
      for (;;) {
        const { rows } = await this.#client.query<Record<string, unknown>>('FETCH 500 FROM changes');
        if (rows.length === 0) return;
        yield* rows;
      }
    } finally {
      await this.#client.query('CLOSE changes').catch(() => {});
    }
  }
}

const pick = (row: Values, columns: readonly string[]): Values =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

/** `16/B374D848` as a number that can be compared. */
function toNumber(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

async function open(context: TaskContext, input: PostgresInput, stored: unknown): Promise<ChangeSource> {
  if (input.pluginName !== 'PGOUTPUT')
    throw new TaskFailed(`The plugin "${input.pluginName}" is not supported: use PGOUTPUT.`, {
      retry: false,
    });
  if (input.password !== undefined) context.masker.add(input.password);
  const position = Position.safeParse(stored ?? {}).data ?? { skip: 0 };
  const hasPosition = stored !== undefined && stored !== null;
  const { PgoutputPlugin: Plugin } =
    await importModule<typeof import('pg-logical-replication')>('pg-logical-replication');
  try {
    const client = await openClient(context, input);
    try {
      await prepare(client, input);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    const { snapshotMode } = input;
    const takesSnapshot = snapshotMode === 'ALWAYS' || (snapshotMode !== 'NEVER' && !hasPosition);
    const plugin = new Plugin({ protoVersion: 1, publicationNames: [input.publicationName] });
    return new PostgresSource(client, input, plugin, position, takesSnapshot);
  } catch (error) {
    if (error instanceof TaskFailed) throw error;
    throw new TaskFailed(`PostgreSQL on ${input.hostname}:${input.port}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The publication and the slot, created when they do not exist. */
async function prepare(
  client: Client,
  { slotName, publicationName, database }: PostgresInput,
): Promise<void> {
  const exists = async (sql: string, name: string) => (await client.query(sql, [name])).rows.length > 0;
  if (!(await exists('SELECT 1 FROM pg_publication WHERE pubname = $1', publicationName)))
    await client.query(`CREATE PUBLICATION ${client.escapeIdentifier(publicationName)} FOR ALL TABLES`);
  const { rows } = await client.query<{ database: string; plugin: string }>(
    'SELECT database, plugin FROM pg_replication_slots WHERE slot_name = $1',
    [slotName],
  );
  const [slot] = rows;
  if (!slot) await client.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slotName]);
  else if (slot.database !== database || slot.plugin !== 'pgoutput')
    throw new TaskFailed(
      `The replication slot "${slotName}" belongs to database "${slot.database}" and plugin "${slot.plugin}": choose another "slotName".`,
      { retry: false },
    );
}

async function openClient(context: TaskContext, input: PostgresInput): Promise<Client> {
  const { default: pg } = await importModule<{ readonly default: typeof import('pg') }>('pg');
  const [host, port] = [input.hostname, Number(input.port)];
  const plain = await context.connect({ host, port, timeoutMs: connectTimeoutMs, signal: context.signal });
  const socket = input.sslMode === 'DISABLE' ? plain : await secure(plain, input);
  const client = new pg.Client({
    host,
    port,
    user: input.username,
    password: input.password,
    database: input.database,
    application_name: 'millrace',
    connectionTimeoutMillis: connectTimeoutMs,
    stream: () => alreadyConnected(socket),
  });
  // A connection that breaks between two statements is noticed by the next one.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The library calls `connect` itself and waits for the event. */
function alreadyConnected(socket: Socket): Socket {
  socket.connect = () => {
    process.nextTick(() => socket.emit('connect'));
    return socket;
  };
  return socket;
}

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

async function secure(socket: Socket, input: PostgresInput): Promise<Socket> {
  socket.write(sslRequest);
  const reply = await new Promise<Buffer>((resolve, reject) => {
    socket.once('data', resolve);
    socket.once('error', reject);
  });
  if (reply.toString() !== 'S')
    throw new TaskFailed('The server does not offer TLS, which "sslMode" asks for.', { retry: false });
  const { sslMode, sslRootCert, sslCert, sslKey, sslKeyPassword } = input;
  return new Promise((resolve, reject) => {
    const secured = connectTls(
      {
        socket,
        servername: input.hostname,
        rejectUnauthorized: sslMode !== 'REQUIRE',
        ...(sslMode !== 'VERIFY_FULL' && { checkServerIdentity: () => undefined }),
        ...(sslRootCert !== undefined && { ca: sslRootCert }),
        ...(sslCert !== undefined && { cert: sslCert }),
        ...(sslKey !== undefined && { key: sslKey }),
        ...(sslKeyPassword !== undefined && { passphrase: sslKeyPassword }),
      },
      () => resolve(secured),
    );
    secured.once('error', reject);
  });
}

export const postgresTypes = captureTypes({
  name: 'postgres',
  title: 'PostgreSQL',
  note: 'The server must run with `wal_level=logical`, and the user must be allowed to replicate and to create a publication. Updates and deletes of a table show all old columns only with `REPLICA IDENTITY FULL`. Drop the slot when the flow is retired: the server keeps its log for it.',
  properties,
  example: ['port: "5432"', 'database: shop', 'slotName: millrace', 'publicationName: millrace'],
  // `as`: the input has the connection's properties too, which the type of this part cannot express.
  open: (context, input, position) => open(context, input as PostgresInput, position),
});
