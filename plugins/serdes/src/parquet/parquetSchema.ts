import { TaskFailed } from '@millrace/plugin-kit';
import type { SchemaElement } from 'hyparquet';
import { twosComplement } from '../avro/avroEncoder.ts';
import type { ColumnType, Field, RecordType } from '../avro/columnType.ts';
import { Branch } from '../avro/convertRow.ts';

type Repetition = 'REQUIRED' | 'OPTIONAL';

/** The schema of a Parquet file, in the order that its format wants: each group before its children. */
export function toParquetSchema(type: RecordType): SchemaElement[] {
  if (type.fields.length === 0)
    throw new TaskFailed('The rows have no fields, and a Parquet file needs at least one column.', {
      retry: false,
    });
  return [{ name: 'root', num_children: type.fields.length }, ...type.fields.flatMap(fieldElements)];
}

const fieldElements = ({ name, type }: Field): SchemaElement[] => elements(name, type);

function elements(name: string, type: ColumnType): SchemaElement[] {
  const { inner, repetition } = unwrap(name, type);
  const group = (children: number, extra: Partial<SchemaElement> = {}): SchemaElement => ({
    name,
    repetition_type: repetition,
    num_children: children,
    ...extra,
  });
  switch (inner.kind) {
    case 'record':
      if (inner.fields.length === 0) throw wrongType(name, 'a record without fields');
      return [group(inner.fields.length), ...inner.fields.flatMap(fieldElements)];
    case 'list':
      return [
        group(1, { converted_type: 'LIST', logical_type: { type: 'LIST' } }),
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ...elements('element', inner.item),
      ];
    case 'map':
      return [
        group(1, { converted_type: 'MAP', logical_type: { type: 'MAP' } }),
        { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
        { name: 'key', repetition_type: 'REQUIRED', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
        ...elements('value', inner.value),
      ];
    default:
      return [{ name, repetition_type: repetition, ...leaf(name, inner) }];
  }
}

/** Parquet has no unions but of one type with null. */
function unwrap(name: string, type: ColumnType): { inner: ColumnType; repetition: Repetition } {
  if (type.kind !== 'union') return { inner: type, repetition: 'REQUIRED' };
  const [inner, ...others] = type.branches.filter(({ kind }) => kind !== 'null');
  if (!inner || others.length > 0) throw wrongType(name, 'a union of several types');
  return { inner, repetition: type.branches.length > 1 ? 'OPTIONAL' : 'REQUIRED' };
}

const wrongType = (name: string, what: string): TaskFailed =>
  new TaskFailed(`The column "${name}" is ${what}, which Parquet cannot hold.`, { retry: false });

function leaf(name: string, type: ColumnType): Partial<SchemaElement> {
  const timestamp = (unit: 'MILLIS' | 'MICROS', isAdjustedToUTC: boolean): Partial<SchemaElement> => ({
    type: 'INT64',
    ...(isAdjustedToUTC && { converted_type: `TIMESTAMP_${unit}` }),
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit },
  });
  switch (type.kind) {
    case 'boolean':
      return { type: 'BOOLEAN' };
    case 'int':
      return { type: 'INT32' };
    case 'long':
      return { type: 'INT64' };
    case 'float':
      return { type: 'FLOAT' };
    case 'double':
      return { type: 'DOUBLE' };
    case 'string':
    case 'uuid':
    case 'enum':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };
    case 'bytes':
      return { type: 'BYTE_ARRAY' };
    case 'fixed':
      return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: type.size };
    case 'date':
      return { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } };
    case 'time-millis':
      return { type: 'INT32', logical_type: { type: 'TIME', isAdjustedToUTC: true, unit: 'MILLIS' } };
    case 'time-micros':
      return { type: 'INT64', logical_type: { type: 'TIME', isAdjustedToUTC: true, unit: 'MICROS' } };
    case 'timestamp-millis':
      return timestamp('MILLIS', true);
    case 'timestamp-micros':
      return timestamp('MICROS', true);
    case 'local-timestamp-millis':
      return timestamp('MILLIS', false);
    case 'local-timestamp-micros':
      return timestamp('MICROS', false);
    case 'decimal': {
      const { precision, scale } = type;
      const size = type.fixed?.size ?? decimalBytes(precision);
      const logical_type = { type: 'DECIMAL' as const, precision, scale };
      return {
        type: 'FIXED_LEN_BYTE_ARRAY',
        type_length: size,
        converted_type: 'DECIMAL',
        precision,
        scale,
        logical_type,
      };
    }
    default:
      throw wrongType(name, `of the type ${type.kind}`);
  }
}

/** The fewest bytes that hold every number of `precision` digits. */
function decimalBytes(precision: number): number {
  return twosComplement(10n ** BigInt(precision) - 1n).length;
}

/** A converted value in the form that the Parquet writer accepts. */
export function toParquetValue(type: ColumnType, value: unknown): unknown {
  if (value instanceof Branch)
    return value.type.kind === 'null' ? null : toParquetValue(value.type, value.value);
  switch (type.kind) {
    case 'list':
      return (value as unknown[]).map((item) => toParquetValue(type.item, item)); // the converter's result
    case 'map':
      return Object.entries(value as object).map(([key, item]) => ({
        key,
        value: toParquetValue(type.value, item),
      }));
    case 'record':
      return toParquetRecord(type, value as Record<string, unknown>);
    default:
      return value;
  }
}

export function toParquetRecord(type: RecordType, record: Record<string, unknown>): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const field of type.fields) written[field.name] = toParquetValue(field.type, record[field.name]);
  return written;
}
