import { messageOf, TaskFailed } from '@millrace/plugin-kit';

/** The scalar kinds of Avro and Parquet. */
export const plainKinds = [
  'null',
  'boolean',
  'int',
  'long',
  'float',
  'double',
  'string',
  'bytes',
  'uuid',
  'date',
  'time-millis',
  'time-micros',
  'timestamp-millis',
  'timestamp-micros',
  'local-timestamp-millis',
  'local-timestamp-micros',
] as const;

export type PlainKind = (typeof plainKinds)[number];

export interface Field {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly type: ColumnType;
  /** As written in the schema, when there is one. */
  readonly default?: unknown;
}

export interface RecordType {
  readonly kind: 'record';
  readonly name: string;
  readonly fields: readonly Field[];
}

/** The type of an Avro or Parquet column; both formats are written from this model. */
export type ColumnType =
  | { readonly kind: PlainKind }
  /** `size` when the bytes have a fixed length. */
  | {
      readonly kind: 'decimal';
      readonly precision: number;
      readonly scale: number;
      readonly fixed?: { readonly name: string; readonly size: number };
    }
  | { readonly kind: 'fixed'; readonly name: string; readonly size: number }
  | { readonly kind: 'enum'; readonly name: string; readonly symbols: readonly string[] }
  | { readonly kind: 'list'; readonly item: ColumnType }
  | { readonly kind: 'map'; readonly value: ColumnType }
  | { readonly kind: 'union'; readonly branches: readonly ColumnType[] }
  | RecordType;

export const nullable = (type: ColumnType): ColumnType => ({
  kind: 'union',
  branches: [{ kind: 'null' }, ...(type.kind === 'union' ? type.branches : [type])],
});

/** The schema as its author wrote it in Avro's JSON. */
export function parseAvroSchema(text: string): RecordType {
  const type = parseAvroType(text);
  if (type.kind !== 'record') throw wrongSchema(`it must be a record, got ${type.kind}`);
  return type;
}

export function parseAvroType(text: string): ColumnType {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (error) {
    throw wrongSchema(`it is not JSON: ${messageOf(error)}`);
  }
  return new SchemaReader().read(written, '');
}

const wrongSchema = (problem: string): TaskFailed =>
  new TaskFailed(`The Avro schema is invalid: ${problem}.`, { retry: false });

type Written = Readonly<Record<string, unknown>>;

const logicalTypes = new Map<string, { readonly of: string; readonly kind: PlainKind }>(
  [
    ['date', 'int'],
    ['time-millis', 'int'],
    ['time-micros', 'long'],
    ['timestamp-millis', 'long'],
    ['timestamp-micros', 'long'],
    ['local-timestamp-millis', 'long'],
    ['local-timestamp-micros', 'long'],
    ['uuid', 'string'],
  ].map(([kind = '', of = '']) => [kind, { of, kind: kind as PlainKind }]), // the keys are kinds
);

class SchemaReader {
  readonly #named = new Map<string, ColumnType>();

  read(written: unknown, namespace: string): ColumnType {
    if (typeof written === 'string') return this.#byName(written, namespace);
    if (Array.isArray(written))
      return { kind: 'union', branches: written.map((branch) => this.read(branch, namespace)) };
    if (typeof written !== 'object' || written === null) throw wrongSchema(`"${written}" is no type`);
    const type = written as Written; // checked above
    const inner = type.type;
    if (typeof inner === 'object' && inner !== null) return this.read(inner, namespace);
    switch (inner) {
      case 'record':
      case 'error':
        return this.#record(type, namespace);
      case 'enum':
        return this.#keep(type, namespace, (name) => ({ kind: 'enum', name, symbols: texts(type.symbols) }));
      case 'array':
        return { kind: 'list', item: this.read(type.items, namespace) };
      case 'map':
        return { kind: 'map', value: this.read(type.values, namespace) };
      case 'fixed':
        return this.#keep(type, namespace, (name) => fixedType(type, name));
    }
    if (inner === 'bytes' && type.logicalType === 'decimal') return { kind: 'decimal', ...sizesOf(type) };
    const logical = logicalTypes.get(String(type.logicalType));
    return logical && logical.of === inner ? { kind: logical.kind } : this.#byName(String(inner), namespace);
  }

  #byName(name: string, namespace: string): ColumnType {
    const plain = plainKinds.find((kind) => kind === name);
    if (plain && !logicalTypes.has(plain)) return { kind: plain };
    const named = this.#named.get(name) ?? this.#named.get(`${namespace}.${name}`);
    if (!named) throw wrongSchema(`the type "${name}" is unknown`);
    return named;
  }

  #record(type: Written, namespace: string): RecordType {
    const fields: Field[] = [];
    const { name, inside } = fullName(type, namespace);
    const record: RecordType = { kind: 'record', name, fields };
    this.#named.set(name, record);
    if (!Array.isArray(type.fields)) throw wrongSchema(`the record "${name}" has no fields`);
    for (const field of type.fields as Written[])
      fields.push({
        name: String(field.name),
        aliases: texts(field.aliases),
        type: this.read(field.type, inside),
        ...('default' in field && { default: field.default }),
      });
    return record;
  }

  #keep(type: Written, namespace: string, make: (name: string) => ColumnType): ColumnType {
    const { name } = fullName(type, namespace);
    const made = make(name);
    this.#named.set(name, made);
    return made;
  }
}

function fullName(type: Written, namespace: string): { name: string; inside: string } {
  const inside = typeof type.namespace === 'string' ? type.namespace : namespace;
  const own = String(type.name ?? '');
  if (own === '') throw wrongSchema(`a ${type.type} has no name`);
  return { name: inside === '' || own.includes('.') ? own : `${inside}.${own}`, inside };
}

function fixedType(type: Written, name: string): ColumnType {
  const size = Number(type.size);
  if (!Number.isInteger(size) || size < 1) throw wrongSchema(`"${name}" has no size`);
  return type.logicalType === 'decimal'
    ? { kind: 'decimal', ...sizesOf(type), fixed: { name, size } }
    : { kind: 'fixed', name, size };
}

function sizesOf(type: Written): { precision: number; scale: number } {
  const precision = Number(type.precision);
  const scale = Number(type.scale ?? 0);
  if (!(precision >= 1) || !(scale >= 0) || scale > precision)
    throw wrongSchema('a decimal needs a precision, and a scale that is not larger');
  return { precision, scale };
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The model as Avro's JSON. A named type is written out where it is used first. */
export function toAvroSchema(type: ColumnType, seen = new Set<string>()): unknown {
  const once = (name: string, written: () => object): unknown => {
    if (seen.has(name)) return name;
    seen.add(name);
    return written();
  };
  switch (type.kind) {
    case 'record':
      return once(type.name, () => ({
        type: 'record',
        name: type.name,
        fields: type.fields.map((field) => toAvroField(field, seen)),
      }));
    case 'enum':
      return once(type.name, () => ({ type: 'enum', name: type.name, symbols: type.symbols }));
    case 'fixed':
      return once(type.name, () => ({ type: 'fixed', name: type.name, size: type.size }));
    case 'decimal': {
      const logical = { logicalType: 'decimal', precision: type.precision, scale: type.scale };
      const { fixed } = type;
      return fixed
        ? once(fixed.name, () => ({ type: 'fixed', ...fixed, ...logical }))
        : { type: 'bytes', ...logical };
    }
    case 'list':
      return { type: 'array', items: toAvroSchema(type.item, seen) };
    case 'map':
      return { type: 'map', values: toAvroSchema(type.value, seen) };
    case 'union':
      return type.branches.map((branch) => toAvroSchema(branch, seen));
    default: {
      const logical = logicalTypes.get(type.kind);
      return logical ? { type: logical.of, logicalType: type.kind } : type.kind;
    }
  }
}

function toAvroField(field: Field, seen: Set<string>): object {
  // The alias of an inferred column is its name in the rows, which Avro may not accept.
  const aliases = field.aliases.filter((alias) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(alias));
  return {
    name: field.name,
    ...(aliases.length > 0 && { aliases }),
    type: toAvroSchema(field.type, seen),
    ...('default' in field && { default: field.default }),
  };
}

/** The name of a branch in an Avro union. */
export function branchName(type: ColumnType): string {
  switch (type.kind) {
    case 'record':
    case 'enum':
    case 'fixed':
      return type.name;
    case 'decimal':
      return type.fixed?.name ?? 'bytes';
    case 'list':
      return 'array';
    case 'map':
    case 'union':
      return type.kind;
    default:
      return logicalTypes.get(type.kind)?.of ?? type.kind;
  }
}
