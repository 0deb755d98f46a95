import { type FileHandle, open } from 'node:fs/promises';
import { Decimal, double } from '@millrace/expression';
import { importModule, messageOf, TaskFailed } from '@millrace/plugin-kit';
import type { AsyncBuffer, FileMetaData, SchemaElement, SchemaTree } from 'hyparquet';
import { fromStored } from '../avro/avroDecoder.ts';
import { fromTwosComplement } from '../avro/avroEncoder.ts';

/** Rows that are in memory at a time. */
const windowRows = 10_000;

/** The rows of a Parquet file on disk, with the types of its columns. */
export async function* readParquetFile(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const file = await open(path);
  try {
    yield* readRows(file, signal);
  } finally {
    await file.close();
  }
}

async function* readRows(handle: FileHandle, signal: AbortSignal): AsyncGenerator<unknown, void, undefined> {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } =
    await importModule<typeof import('hyparquet')>('hyparquet');
  const { compressors } = await importModule<typeof import('hyparquet-compressors')>('hyparquet-compressors');
  const file = await toBuffer(handle);
  const metadata = await readable(() => parquetMetadataAsync(file));
  const converters = convertersOf(parquetSchema(metadata));
  withoutConversions(metadata);
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    for (; start < end; start = Math.min(start + windowRows, end)) {
      signal.throwIfAborted();
      const rowEnd = Math.min(start + windowRows, end);
      const rows = await readable(() =>
        parquetReadObjects({
          file,
          metadata,
          rowStart: start,
          rowEnd,
          compressors,
          utf8: false,
          useOffsetIndex: true,
        }),
      );
      for (const row of rows) yield convertRecord(converters, row);
    }
  }
}

async function toBuffer(handle: FileHandle): Promise<AsyncBuffer> {
  const { size } = await handle.stat();
  return {
    byteLength: size,
    async slice(start, end = size) {
      const from = start < 0 ? Math.max(0, size + start) : start;
      const length = Math.max(0, Math.min(end, size) - from);
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; ) {
        const { bytesRead } = await handle.read(bytes, at, length - at, from + at);
        if (bytesRead === 0) throw new Error('the file ends too early');
        at += bytesRead;
      }
      return bytes.buffer;
    },
  };
}

async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new TaskFailed(`The Parquet file cannot be read: ${messageOf(error)}`, { retry: false });
  }
}

type Convert = (value: unknown) => unknown;
type Converters = readonly (readonly [name: string, convert: Convert])[];

const convertersOf = (tree: SchemaTree): Converters =>
  tree.children.map((child) => [child.element.name, converterOf(child)]);

function convertRecord(converters: Converters, row: object): Map<string, unknown> {
  const values = row as Record<string, unknown>; // rows are maps
  const record = new Map<string, unknown>();
  for (const [name, convert] of converters) record.set(name, orNull(convert, values[name]));
  return record;
}

const orNull = (convert: Convert, value: unknown): unknown =>
  value === null || value === undefined ? null : convert(value);

/** The library assembles lists and maps, so their inner groups are skipped here. */
function converterOf(tree: SchemaTree): Convert {
  const { element, children } = tree;
  if (children.length === 0) return repeated(element, leafConverter(element));
  const [first] = children;
  if (first && isKind(element, 'LIST')) {
    const [item] = first.children;
    const isWrapped = first.children.length === 1 && item && !isPlainItem(tree, first);
    const inner = converterOf(isWrapped ? item : first);
    return (value) => (value as unknown[]).map((one) => orNull(inner, one)); // lists are arrays
  }
  if (first && (isKind(element, 'MAP') || isKind(element, 'MAP_KEY_VALUE'))) {
    const [, valueTree] = first.children;
    const inner = valueTree ? converterOf(valueTree) : (value: unknown) => value;
    return (value) => new Map(Object.entries(value as object).map(([key, one]) => [key, orNull(inner, one)]));
  }
  const converters = convertersOf(tree);
  return repeated(element, (value) => convertRecord(converters, value as object)); // groups are maps
}

/** Old files repeat the group of the item itself. */
const isPlainItem = (list: SchemaTree, first: SchemaTree): boolean =>
  first.element.name === 'array' || first.element.name === `${list.element.name}_tuple`;

const isKind = (element: SchemaElement, kind: 'LIST' | 'MAP' | 'MAP_KEY_VALUE'): boolean =>
  element.converted_type === kind || element.logical_type?.type === kind;

function repeated(element: SchemaElement, convert: Convert): Convert {
  return (value) =>
    element.repetition_type === 'REPEATED' && Array.isArray(value)
      ? value.map((one) => orNull(convert, one))
      : convert(value);
}

function leafConverter(element: SchemaElement): Convert {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const scale = element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0);
    return (value) => new Decimal(integerOf(value), scale);
  }
  const kind = timeKind(element);
  if (kind !== undefined) return (value) => fromStored(kind, integerOf(value));
  if (type === 'FLOAT' || type === 'DOUBLE' || logical?.type === 'FLOAT16')
    return (value) => double(Number(value));
  if (type === 'INT64' || type === 'INT32') return (value) => fromStored('integer', integerOf(value));
  return (value) => value;
}

function integerOf(value: unknown): bigint {
  if (value instanceof Uint8Array) return fromTwosComplement(value);
  return typeof value === 'bigint' ? value : BigInt(Number(value));
}

function timeKind({ converted_type: converted, logical_type: logical }: SchemaElement): string | undefined {
  if (converted === 'DATE' || logical?.type === 'DATE') return 'date';
  if (logical?.type === 'TIME') return `time-${logical.unit.toLowerCase()}`;
  if (logical?.type === 'TIMESTAMP')
    return `${logical.isAdjustedToUTC ? '' : 'local-'}timestamp-${logical.unit.toLowerCase()}`;
  if (converted === 'TIME_MILLIS' || converted === 'TIME_MICROS')
    return converted.toLowerCase().replace('_', '-');
  if (converted === 'TIMESTAMP_MILLIS' || converted === 'TIMESTAMP_MICROS')
    return converted.toLowerCase().replace('_', '-');
  return undefined;
}

/** Disables the library's conversions, which would lose precision of decimals and times. */
function withoutConversions(metadata: FileMetaData): void {
  for (const element of metadata.schema) {
    const { converted_type: converted, logical_type: logical } = element;
    const isText =
      converted === 'UTF8' ||
      converted === 'JSON' ||
      converted === 'ENUM' ||
      logical?.type === 'STRING' ||
      logical?.type === 'ENUM';
    if (isText) {
      element.converted_type = 'UTF8';
      delete element.logical_type;
    } else if (timeKind(element) !== undefined || converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
      delete element.converted_type;
      delete element.logical_type;
    }
  }
}
