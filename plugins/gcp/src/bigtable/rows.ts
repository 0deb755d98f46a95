import { readJsonValues, TaskFailed, text } from '@millrace/plugin-kit';
import { type Google, segment } from '../google/client.ts';
import { isMap, type Json, mapAt, mapsAt, textAt } from '../google/json.ts';

export const bigtableProperties = {
  projectId: text().describe('The project.'),
  instanceId: text().describe('The instance.'),
  emulatorHost: text()
    .optional()
    .describe('Not supported: emulators of Bigtable speak gRPC only, and these tasks use REST.'),
};

export interface TableInput {
  readonly projectId: string;
  readonly instanceId: string;
  readonly tableId: string;
  readonly emulatorHost?: string | undefined;
}

const instanceOf = ({ projectId, instanceId, emulatorHost }: Omit<TableInput, 'tableId'>): string => {
  if (emulatorHost)
    throw new TaskFailed('"emulatorHost" is not supported: emulators of Bigtable speak gRPC only.', {
      retry: false,
    });
  return `projects/${segment(projectId)}/instances/${segment(instanceId)}`;
};

export const adminUrl = (input: TableInput): string =>
  `https://bigtableadmin.googleapis.com/v2/${instanceOf(input)}/tables`;
export const dataUrl = (input: TableInput): string =>
  `https://bigtable.googleapis.com/v2/${instanceOf(input)}/tables/${segment(input.tableId)}`;

export const toBytes = (value: string): string => Buffer.from(value).toString('base64');
const fromBytes = (value: unknown): string => Buffer.from(String(value ?? ''), 'base64').toString('utf8');

export const rangeProperties = {
  rowKeyStart: text().optional().describe('The first key, itself included.'),
  rowKeyEnd: text().optional().describe('The last key, itself excluded.'),
  rowKeyPrefix: text().optional().describe('The start of the keys.'),
};

export interface RangeInput {
  readonly rowKeyStart?: string | undefined;
  readonly rowKeyEnd?: string | undefined;
  readonly rowKeyPrefix?: string | undefined;
}

/** The selected rows; by default all rows. */
export function rowsOf(
  { rowKeyStart, rowKeyEnd, rowKeyPrefix }: RangeInput,
  keys: readonly string[] = [],
): Json | undefined {
  const rowRanges = [];
  if (rowKeyPrefix) rowRanges.push({ startKeyClosed: toBytes(rowKeyPrefix), ...afterPrefix(rowKeyPrefix) });
  if (rowKeyStart || rowKeyEnd)
    rowRanges.push({
      ...(rowKeyStart && { startKeyClosed: toBytes(rowKeyStart) }),
      ...(rowKeyEnd && { endKeyOpen: toBytes(rowKeyEnd) }),
    });
  if (rowRanges.length === 0 && keys.length === 0) return undefined;
  return { rowKeys: keys.map(toBytes), rowRanges };
}

/** The first key that does not start with the prefix any more. */
function afterPrefix(prefix: string): Json {
  const bytes = Buffer.from(prefix);
  for (let at = bytes.length - 1; at >= 0; at--) {
    if (bytes[at] === 0xff) continue;
    const next = Buffer.from(bytes.subarray(0, at + 1));
    next[at] = (next[at] ?? 0) + 1;
    return { endKeyOpen: next.toString('base64') };
  }
  return {};
}

export interface BigtableRow extends Record<string, unknown> {
  readonly rowKey: string;
  /** Values by family and column, the newest of each. */
  readonly cells: Record<string, Record<string, string>>;
}

/** The rows of a table, put together from the chunks of the stream. */
export async function* readTableRows(
  google: Google,
  url: string,
  request: Json,
): AsyncGenerator<BigtableRow> {
  const response = await google.send({
    url: `${url}:readRows`,
    body: request,
    idempotent: true,
    readTimeoutMs: 600_000,
  });
  let row: BigtableRow = { rowKey: '', cells: {} };
  let family = '';
  let column = '';
  let value = Buffer.alloc(0);
  for await (const { value: part } of readJsonValues(
    response.body,
    (path) => path.length === 1 && typeof path[0] === 'number',
  )) {
    const json: Json = isMap(part) ? part : {};
    const error = textAt(mapAt(json, 'error'), 'message');
    if (error !== undefined) throw new TaskFailed(`Bigtable: ${error}`);
    for (const chunk of mapsAt(json, 'chunks')) {
      if (chunk.resetRow === true) {
        row = { rowKey: '', cells: {} };
        continue;
      }
      if (chunk.rowKey !== undefined && chunk.rowKey !== '')
        row = { rowKey: fromBytes(chunk.rowKey), cells: {} };
      if (chunk.familyName !== undefined) family = String(unwrap(chunk.familyName));
      if (chunk.qualifier !== undefined) column = fromBytes(unwrap(chunk.qualifier));
      value = Buffer.concat([value, Buffer.from(String(chunk.value ?? ''), 'base64')]);
      // A value that was cut has its whole size in all parts but the last.
      if (Number(chunk.valueSize ?? 0) > 0) continue;
      const cells = row.cells[family] ?? {};
      row.cells[family] = cells;
      // Versions of a cell are sorted newest first.
      cells[column] ??= value.toString('utf8');
      value = Buffer.alloc(0);
      if (chunk.commitRow === true) {
        yield row;
        row = { rowKey: '', cells: {} };
      }
    }
  }
}

/** Wrapped values are plain in the JSON of Google; other servers write them as maps. */
const unwrap = (value: unknown): unknown => (isMap(value) ? value.value : value);

const mutationsAtOnce = 1000;

/** Changes rows in batches; fails at the first row that Bigtable rejects. */
export async function mutateRows(google: Google, url: string, entries: readonly Json[]): Promise<void> {
  for (let from = 0; from < entries.length; from += mutationsAtOnce) {
    const batch = entries.slice(from, from + mutationsAtOnce);
    const { body } = await google.json({
      url: `${url}:mutateRows`,
      body: { entries: batch },
      idempotent: true,
    });
    const parts = Array.isArray(body.items) ? body.items.filter(isMap) : [body];
    for (const entry of parts.flatMap((part) => mapsAt(part, 'entries'))) {
      const status = mapAt(entry, 'status');
      if (Number(status.code ?? 0) !== 0)
        throw new TaskFailed(
          `Bigtable refused row ${from + Number(entry.index ?? 0) + 1}: ${textAt(status, 'message')}`,
        );
    }
  }
}
