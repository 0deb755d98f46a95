import type { ColumnType, Field, RecordType } from './columnType.ts';
import { bytesOf, PlainConverter, type PlainOptions, WrongValue } from './convertPlain.ts';

export interface ConverterOptions extends PlainOptions {
  readonly strictSchema: boolean;
  /** Returns true when a cell that does not fit may be null instead. */
  readonly onWrongCell: (message: string) => boolean;
}

/** The branch of a union that a value was converted to. */
export class Branch {
  readonly type: ColumnType;
  readonly value: unknown;

  constructor(type: ColumnType, value: unknown) {
    this.type = type;
    this.value = value;
  }
}

/** Converts rows to values of a record type; a union value becomes a `Branch`. */
export class RowConverter {
  readonly #plain: PlainConverter;
  readonly #options: ConverterOptions;

  constructor(options: ConverterOptions) {
    this.#options = options;
    this.#plain = new PlainConverter(options);
  }

  convertRow(type: RecordType, row: unknown): Record<string, unknown> {
    return this.#record(type, row, '');
  }

  #convert(type: ColumnType, value: unknown, path: string): unknown {
    switch (type.kind) {
      case 'record':
        return this.#record(type, value, path);
      case 'union':
        return this.#union(type.branches, value, path);
      case 'list':
        if (!Array.isArray(value)) throw new WrongValue('it is no list');
        return value.map((item, index) => this.#cell(type.item, item, `${path}[${index}]`));
      case 'map':
        return Object.fromEntries(
          Object.entries(structOf(value)).map(([key, item]) => [
            key,
            this.#cell(type.value, item, `${path}.${key}`),
          ]),
        );
      case 'enum':
        if (typeof value === 'string' && type.symbols.includes(value)) return value;
        throw new WrongValue(`${JSON.stringify(value)} is none of ${type.symbols.join(', ')}`);
      case 'fixed': {
        const bytes = bytesOf(value);
        if (bytes.length !== type.size)
          throw new WrongValue(`it has ${bytes.length} bytes and not ${type.size}`);
        return bytes;
      }
      case 'decimal':
        return this.#plain.decimal(value, type.precision, type.scale);
      default:
        return this.#plain.convert(type.kind, value);
    }
  }

  /** Converts a value inside a row; a cell that does not fit may become null. */
  #cell(type: ColumnType, value: unknown, path: string): unknown {
    try {
      return this.#convert(type, value, path);
    } catch (error) {
      if (!(error instanceof WrongValue) || error instanceof WrongRow) throw error;
      const message = `the field "${path}" is invalid: ${error.message}`;
      const nothing = nullOf(type);
      if (nothing !== undefined && this.#options.onWrongCell(message)) return nothing;
      throw new WrongRow(message);
    }
  }

  #union(branches: readonly ColumnType[], value: unknown, path: string): Branch {
    let problem: WrongValue | undefined;
    for (const branch of branches) {
      try {
        return new Branch(branch, this.#convert(branch, value, path));
      } catch (error) {
        if (!(error instanceof WrongValue)) throw error;
        // The complaint that it is not null helps no reader when another type was expected.
        if (branch.kind !== 'null') problem ??= error;
      }
    }
    throw problem ?? new WrongValue('there is no type for it');
  }

  #record(type: RecordType, value: unknown, path: string): Record<string, unknown> {
    const values = byName(type, value);
    if (this.#options.strictSchema) refuseExtra(type, values, path);
    const converted: Record<string, unknown> = {};
    for (const field of type.fields) {
      const inner = path === '' ? field.name : `${path}.${field.name}`;
      const found = fieldValue(field, values);
      converted[field.name] = this.#cell(field.type, found, inner);
    }
    return converted;
  }
}

/** A row that cannot be written at all. */
export class WrongRow extends WrongValue {}

function nullOf(type: ColumnType): Branch | undefined {
  const branch = type.kind === 'union' ? type.branches.find(({ kind }) => kind === 'null') : undefined;
  return branch && new Branch(branch, null);
}

function structOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WrongValue('it is no map');
  return value as Record<string, unknown>; // checked above
}

/** Rows that are lists, or that were read without a header, map their values by position. */
function byName(type: RecordType, value: unknown): Record<string, unknown> {
  const list = Array.isArray(value) ? value : positional(type, structOf(value));
  if (!list) return structOf(value);
  if (list.length > type.fields.length)
    throw new WrongValue(`it has ${list.length} values and ${type.fields.length} fields`);
  return Object.fromEntries(type.fields.map(({ name }, index) => [name, list[index]]));
}

function positional(type: RecordType, row: Record<string, unknown>): unknown[] | undefined {
  const keys = Object.keys(row);
  if (keys[0] !== 'col0' || type.fields.some(({ name }) => name === 'col0')) return undefined;
  return keys.every((key, index) => key === `col${index}`) ? Object.values(row) : undefined;
}

function fieldValue(field: Field, values: Record<string, unknown>): unknown {
  for (const name of [field.name, ...field.aliases]) if (Object.hasOwn(values, name)) return values[name];
  return 'default' in field ? field.default : undefined;
}

function refuseExtra(type: RecordType, values: Record<string, unknown>, path: string): void {
  const known = new Set(type.fields.flatMap(({ name, aliases }) => [name, ...aliases]));
  const extra = Object.keys(values).filter((key) => !known.has(key));
  if (extra.length > 0)
    throw new WrongRow(
      `${path === '' ? 'it' : `"${path}"`} has fields that the schema lacks: ${extra.join(', ')}`,
    );
}
