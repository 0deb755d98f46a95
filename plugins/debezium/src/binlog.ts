import type ZongJi from '@vlasky/zongji';
import type { BinlogEvent } from '@vlasky/zongji';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { z } from 'zod';
import type { Change, Values } from './change.ts';

/** The end of the last completely read transaction, and the number of rows read of the next one. */
export const Position = z.object({ filename: z.string(), position: z.number(), skip: z.number().default(0) });
export type Position = z.infer<typeof Position>;

export interface Logged {
  readonly change?: Change;
  readonly position: Position;
}

export interface Wants {
  table(database: string, table: string): boolean;
  columns(database: string, table: string, row: Values): Values;
}

const keySql = `SELECT COLUMN_NAME AS name FROM information_schema.KEY_COLUMN_USAGE
  WHERE CONSTRAINT_NAME = 'PRIMARY' AND TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION`;

export async function keysOf(
  connection: Connection,
  database: string,
  table: string,
): Promise<readonly string[]> {
  const [rows] = await connection.query<RowDataPacket[]>(keySql, [database, table]);
  return rows.map(({ name }) => String(name));
}

export const pick = (row: Values, columns: readonly string[]): Values =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

export interface LogTarget {
  add(logged: Logged): void;
  fail(error: Error): void;
  readonly wants: Wants;
  readonly connection: Connection;
}

interface RowsEvent extends BinlogEvent {
  readonly tableId: number;
  readonly tableMap: Readonly<Record<number, { readonly parentSchema: string; readonly tableName: string }>>;
  readonly rows: readonly (Values | { readonly before: Values; readonly after: Values })[];
}

const operations: Readonly<Record<string, 'c' | 'u' | 'd'>> = {
  writerows: 'c',
  updaterows: 'u',
  deleterows: 'd',
};

/** Follows the log: rows belong to the transaction that the next `xid` or `COMMIT` ends. */
export function followLog(log: ZongJi, { add, fail, wants, connection }: LogTarget, start: Position): void {
  let { filename, position } = start;
  let toSkip = start.skip;
  let count = 0;
  const keys = new Map<string, Promise<readonly string[]>>();
  let adding: Promise<void> = Promise.resolve();
  const commit = (event: BinlogEvent) => {
    position = event.nextPosition;
    count = 0;
    toSkip = 0;
    const at = { filename, position, skip: 0 };
    adding = adding.then(() => add({ position: at }));
  };
  log.on('error', fail);
  log.on('binlog', (event: BinlogEvent) => {
    const name = event.getEventName();
    if (name === 'rotate' && 'binlogName' in event) {
      filename = String(event.binlogName);
      return;
    }
    if (name === 'xid') return commit(event);
    if (name === 'query' && 'query' in event) {
      if (!/^\s*BEGIN/i.test(String(event.query))) commit(event);
      return;
    }
    const operation = operations[name];
    if (!operation) return;
    const { rows, tableMap, tableId } = event as RowsEvent; // events of rows have these
    const { parentSchema: database, tableName: table } = tableMap[tableId] ?? {
      parentSchema: '',
      tableName: '',
    };
    for (const row of rows) {
      count++;
      if (count <= toSkip || !wants.table(database, table)) continue;
      const number = count;
      const at: Position = { filename, position, skip: number };
      const place = `${database}.${table}`;
      if (!keys.has(place)) keys.set(place, keysOf(connection, database, table));
      adding = adding
        .then(async () => {
          const change = toChange(row, operation, {
            database,
            table,
            keys: (await keys.get(place)) ?? [],
            wants,
            at,
            event,
          });
          add({ change, position: at });
        })
        .catch(fail);
    }
  });
}

function toChange(
  row: RowsEvent['rows'][number],
  operation: 'c' | 'u' | 'd',
  {
    database,
    table,
    keys,
    wants,
    at,
    event,
  }: {
    readonly database: string;
    readonly table: string;
    readonly keys: readonly string[];
    readonly wants: Wants;
    readonly at: Position;
    readonly event: BinlogEvent;
  },
): Change {
  // `as`: updates contain both rows, other operations one.
  const update = operation === 'u' ? (row as { readonly before: Values; readonly after: Values }) : undefined;
  const after = operation === 'd' ? null : (update?.after ?? row);
  const before = operation === 'c' ? null : (update?.before ?? row);
  return {
    operation,
    database,
    table,
    key: pick((after ?? before ?? {}) as Values, keys), // a row, as above
    before: before && wants.columns(database, table, before as Values),
    after: after && wants.columns(database, table, after as Values),
    timestamp: event.timestamp,
    source: { connector: 'mysql', file: at.filename, pos: event.nextPosition, snapshot: false },
    id: `${at.filename}/${at.position}/${at.skip}`,
  };
}
