import {
  choice,
  importModule,
  MessageBuffer,
  messageOf,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type ZongJi from '@vlasky/zongji';
import type { Connection as PlainConnection } from 'mysql2';
import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2/promise';
import type { z } from 'zod';
import { followLog, keysOf, type Logged, type LogTarget, Position, pick, type Wants } from './binlog.ts';
import { type Change, type ChangeSource, createFilter } from './change.ts';
import { captureTypes, type SharedInput } from './database.ts';

const snapshotModes = [
  'INITIAL',
  'INITIAL_ONLY',
  'WHEN_NEEDED',
  'NEVER',
  'SCHEMA_ONLY',
  'SCHEMA_ONLY_RECOVERY',
  'NO_DATA',
  'ALWAYS',
  'RECOVERY',
] as const;

const properties = () => ({
  serverId: text()
    .optional()
    .describe(
      'The number of this replica, which no other replica of the server may have; a random one when absent.',
    ),
  snapshotMode: choice(snapshotModes)
    .default('INITIAL')
    .describe(
      'Whether the rows that are there are read first: when there is no position yet (`INITIAL`, `INITIAL_ONLY`, `WHEN_NEEDED`), always, or not.',
    ),
});

type MysqlInput = z.infer<z.ZodObject<ReturnType<typeof properties>>> &
  SharedInput & {
    readonly hostname: string;
    readonly port: string;
    readonly username?: string | undefined;
    readonly password?: string | undefined;
  };

const connectTimeoutMs = 10_000;
const system: readonly string[] = ['mysql', 'sys', 'information_schema', 'performance_schema'];
/** The log is not read further while more changes than this wait. */
const mostWaiting = 1_000;

type OpenConnection = (options?: ConnectionOptions) => Promise<Connection>;

class MysqlSource implements ChangeSource {
  readonly resumesSnapshot = false;
  readonly #connection: Connection;
  readonly #wants: Wants;
  readonly #buffer = new MessageBuffer<Logged>();
  readonly #startLog: (source: LogTarget, position: Position) => Promise<ZongJi>;
  readonly #isSnapshotOnly: boolean;
  #log: ZongJi | undefined;
  #snapshot: AsyncGenerator<Change> | undefined;
  #position: Position;
  #waiting = 0;
  #isPaused = false;

  constructor(
    connection: Connection,
    wants: Wants,
    position: Position,
    options: {
      readonly takesSnapshot: boolean;
      readonly isSnapshotOnly: boolean;
      readonly startLog: (source: LogTarget, position: Position) => Promise<ZongJi>;
    },
  ) {
    this.#connection = connection;
    this.#wants = wants;
    this.#position = position;
    this.#startLog = options.startLog;
    this.#isSnapshotOnly = options.isSnapshotOnly;
    if (options.takesSnapshot) this.#snapshot = readTables(connection, wants);
  }

  isInSnapshot(): boolean {
    return this.#snapshot !== undefined;
  }

  position(): unknown {
    return this.#position;
  }

  /** The flow stores the position, so the server has nothing to acknowledge. */
  async confirm(): Promise<void> {}

  async next(waitMs: number): Promise<Change | undefined> {
    const row = await this.#snapshot?.next();
    if (row && !row.done) return row.value;
    this.#snapshot = undefined;
    if (this.#isSnapshotOnly) return undefined;
    this.#log ??= await this.#startLog(
      {
        add: (logged) => this.#add(logged),
        fail: (error) => this.#buffer.fail(error),
        wants: this.#wants,
        connection: this.#connection,
      },
      this.#position,
    );
    for (const deadline = Date.now() + waitMs; ; ) {
      const logged = await this.#buffer.next(Math.max(deadline - Date.now(), 0));
      if (!logged) return undefined;
      this.#waiting--;
      if (this.#isPaused && this.#waiting < mostWaiting / 2) this.#pause(false);
      this.#position = logged.position;
      if (logged.change) return logged.change;
    }
  }

  async close(): Promise<void> {
    this.#log?.stop();
    this.#connection.destroy();
  }

  #add(logged: Logged): void {
    this.#buffer.push(logged);
    this.#waiting++;
    if (!this.#isPaused && this.#waiting > mostWaiting) this.#pause(true);
  }

  #pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    // `as`: the connection of the log, which the types of the library leave out.
    const { connection } = this.#log as unknown as { connection?: { pause(): void; resume(): void } };
    if (isPaused) connection?.pause();
    else connection?.resume();
  }
}

function wantsOf(input: SharedInput): Wants {
  const databases = createFilter(input.includedDatabases, input.excludedDatabases);
  const tables = createFilter(input.includedTables, input.excludedTables);
  const columns = createFilter(input.includedColumns, input.excludedColumns);
  return {
    table: (database, table) =>
      !system.includes(database) && databases(database) && tables(`${database}.${table}`, table),
    columns: (database, table, row) =>
      Object.fromEntries(
        Object.entries(row).filter(([name]) => columns(`${database}.${table}.${name}`, `${table}.${name}`)),
      ),
  };
}

/** The rows of all tables, in the transaction that was begun with the position of the log. */
async function* readTables(connection: Connection, wants: Wants): AsyncGenerator<Change> {
  const [tables] = await connection.query<RowDataPacket[]>(
    "SELECT TABLE_SCHEMA AS db, TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE' ORDER BY 1, 2",
  );
  for (const { db, name } of tables) {
    const [database, table] = [String(db), String(name)];
    if (!wants.table(database, table)) continue;
    const keys = await keysOf(connection, database, table);
    // `as`: the plain connection below the promises, which streams its rows and which the types leave out.
    const { connection: plain } = connection as unknown as { readonly connection: PlainConnection };
    const rows = plain.query({ sql: 'SELECT * FROM ??.??', values: [database, table] }).stream();
    for await (const row of rows) {
      const key = pick(row, keys);
      yield {
        operation: 'r',
        database,
        table,
        key,
        before: null,
        after: wants.columns(database, table, row),
        timestamp: Date.now(),
        source: { connector: 'mysql', snapshot: true },
        id: `snapshot/${database}.${table}/${JSON.stringify(keys.length > 0 ? key : row)}`,
      };
    }
  }
  await connection.query('COMMIT');
}

async function open(context: TaskContext, input: MysqlInput, stored: unknown): Promise<ChangeSource> {
  if (input.password !== undefined) context.masker.add(input.password);
  const connect = connector(context, input);
  try {
    const connection = await connect();
    const { snapshotMode } = input;
    const known = Position.safeParse(stored).data;
    const takesSnapshot =
      snapshotMode === 'ALWAYS' ||
      (!known && ['INITIAL', 'INITIAL_ONLY', 'WHEN_NEEDED'].includes(snapshotMode));
    if (takesSnapshot) await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    const position = takesSnapshot || !known ? await currentPosition(connection) : known;
    return new MysqlSource(connection, wantsOf(input), position, {
      takesSnapshot,
      isSnapshotOnly: snapshotMode === 'INITIAL_ONLY',
      startLog: (target, from) => startLog(context, input, target, from),
    });
  } catch (error) {
    if (error instanceof TaskFailed) throw error;
    throw new TaskFailed(`MySQL on ${input.hostname}:${input.port}: ${messageOf(error)}`, { cause: error });
  }
}

/** Read after the snapshot began: changes of that moment may be captured twice, but none is missed. */
async function currentPosition(connection: Connection): Promise<Position> {
  const ask = (sql: string) =>
    connection.query<RowDataPacket[]>(sql).then(
      ([rows]) => rows[0],
      () => undefined,
    );
  // MySQL 8.4 has only the second statement, MariaDB only the first.
  const status = (await ask('SHOW MASTER STATUS')) ?? (await ask('SHOW BINARY LOG STATUS'));
  if (!status)
    throw new TaskFailed(
      'The server writes no binary log, or the user may not read its status: set "log_bin" and grant REPLICATION CLIENT.',
      {
        retry: false,
      },
    );
  return { filename: String(status.File), position: Number(status.Position), skip: 0 };
}

async function startLog(
  context: TaskContext,
  input: MysqlInput,
  target: LogTarget,
  from: Position,
): Promise<ZongJi> {
  const { default: Log } = await importModule<{ readonly default: typeof ZongJi }>('@vlasky/zongji');
  // The library opens two connections, for which sockets must be there beforehand.
  const options = connectionOptions(input);
  const sockets = [await openSocket(context, input), await openSocket(context, input)];
  const log = new Log({ ...options, stream: () => sockets.shift() });
  followLog(log, target, from);
  const ready = new Promise<void>((resolve, reject) => {
    log.once('ready', () => resolve());
    log.once('error', reject);
  });
  log.start({
    serverId: Number(input.serverId ?? 0) || 100_000 + Math.floor(Math.random() * 1_000_000_000),
    filename: from.filename,
    position: from.position,
    includeEvents: ['tablemap', 'writerows', 'updaterows', 'deleterows', 'rotate', 'query', 'xid'],
  });
  await ready;
  return log;
}

const openSocket = (context: TaskContext, { hostname, port }: MysqlInput) =>
  context.connect({
    host: hostname,
    port: Number(port),
    timeoutMs: connectTimeoutMs,
    signal: context.signal,
  });

const connectionOptions = ({ hostname, port, username, password }: MysqlInput): ConnectionOptions => ({
  host: hostname,
  port: Number(port),
  ...(username !== undefined && { user: username }),
  ...(password !== undefined && { password }),
  connectTimeout: connectTimeoutMs,
  charset: 'utf8mb4',
  supportBigNumbers: true,
});

function connector(context: TaskContext, input: MysqlInput): OpenConnection {
  return async () => {
    const { createConnection } = await importModule<typeof import('mysql2/promise')>('mysql2/promise');
    const stream = await openSocket(context, input);
    return createConnection({ ...connectionOptions(input), stream });
  };
}

export const mysqlTypes = captureTypes({
  name: 'mysql',
  title: 'MySQL or MariaDB',
  note: 'The server must write a binary log with `binlog_format=ROW` and `binlog_row_image=FULL`, and the user needs `REPLICATION SLAVE`, `REPLICATION CLIENT` (MariaDB: `BINLOG MONITOR`) and `SELECT`.',
  properties,
  example: ['port: "3306"', 'serverId: "4711"'],
  // `as`: the input has the connection's properties too, which the type of this part cannot express.
  open: (context, input, position) => open(context, input as MysqlInput, position),
});
