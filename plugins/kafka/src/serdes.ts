import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type { AvroRegistry } from './registry.ts';

export const serdeTypes = [
  'STRING',
  'INTEGER',
  'FLOAT',
  'DOUBLE',
  'LONG',
  'SHORT',
  'BYTE_ARRAY',
  'BYTE_BUFFER',
  'BYTES',
  'UUID',
  'VOID',
  'AVRO',
  'JSON',
  'PROTOBUF',
] as const;
export type SerdeType = (typeof serdeTypes)[number];

type Fixed = 'INTEGER' | 'FLOAT' | 'DOUBLE' | 'LONG' | 'SHORT';
interface Numeric {
  readonly bytes: number;
  readonly write: (buffer: Buffer, value: number | bigint) => void;
  readonly read: (buffer: Buffer) => number | bigint;
}

const safe = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;

/** Numbers as the serializers of Kafka's own client write them. */
const numbers: Readonly<Record<Fixed, Numeric>> = {
  INTEGER: { bytes: 4, write: (b, v) => b.writeInt32BE(Number(v)), read: (b) => b.readInt32BE() },
  FLOAT: { bytes: 4, write: (b, v) => b.writeFloatBE(Number(v)), read: (b) => b.readFloatBE() },
  DOUBLE: { bytes: 8, write: (b, v) => b.writeDoubleBE(Number(v)), read: (b) => b.readDoubleBE() },
  LONG: { bytes: 8, write: (b, v) => b.writeBigInt64BE(BigInt(v)), read: (b) => safe(b.readBigInt64BE()) },
  SHORT: { bytes: 2, write: (b, v) => b.writeInt16BE(Number(v)), read: (b) => b.readInt16BE() },
};
const isNumeric = (type: SerdeType): type is Fixed => type in numbers;

export interface SerializeOptions {
  readonly registry?: AvroRegistry | undefined;
  readonly schema?: string | undefined;
  /** Names the schema at the registry. */
  readonly subject: string;
}

/** Serializes a key or a value of a flow; null stays empty. */
export async function serialize(
  value: unknown,
  type: SerdeType,
  { registry, schema, subject }: SerializeOptions,
): Promise<Buffer | undefined> {
  if (value === undefined || value === null || type === 'VOID') return undefined;
  if (isNumeric(type)) return writeNumber(value, type);
  if (type === 'JSON')
    return Buffer.from(JSON.stringify(typeof value === 'string' ? readJson(value) : value));
  if (type === 'AVRO') {
    if (!registry) throw new TaskFailed(needsRegistry, { retry: false });
    if (schema === undefined)
      throw new TaskFailed('AVRO needs a schema in "keyAvroSchema" or "valueAvroSchema".', { retry: false });
    return registry.writeAvro(value, schema, subject);
  }
  if (type === 'PROTOBUF')
    throw new TaskFailed('PROTOBUF messages cannot be produced, because no property holds their schema.', {
      retry: false,
    });
  if (value instanceof Uint8Array) return Buffer.from(value);
  return Buffer.from(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const needsRegistry =
  'AVRO needs a schema registry: give "schemaRegistryVendor", or "schema.registry.url" in "serdeProperties".';

function writeNumber(value: unknown, type: Fixed): Buffer {
  const { bytes, write } = numbers[type];
  const buffer = Buffer.alloc(bytes);
  const number = typeof value === 'bigint' || typeof value === 'number' ? value : Number(value);
  try {
    write(buffer, number);
  } catch (error) {
    throw new TaskFailed(`"${String(value)}" is not a ${type}.`, { retry: false, cause: error });
  }
  if (typeof number === 'number' && Number.isNaN(number))
    throw new TaskFailed(`"${String(value)}" is not a ${type}.`, { retry: false });
  return buffer;
}

/** A text that is JSON already is not written as a text again. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Bytes that the deserializer cannot read. */
export class SerdeError extends TaskFailed {
  constructor(type: SerdeType, reason: string) {
    super(`A message cannot be read as ${type}: ${reason}`, { retry: false });
  }
}

export async function deserialize(
  bytes: Buffer | undefined,
  type: SerdeType,
  registry: AvroRegistry | undefined,
): Promise<unknown> {
  if (bytes === undefined || type === 'VOID') return null;
  if (isNumeric(type)) {
    const { bytes: expected, read } = numbers[type];
    if (bytes.length !== expected)
      throw new SerdeError(type, `${expected} bytes were expected, got ${bytes.length}.`);
    return read(bytes);
  }
  if (type === 'JSON') {
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch (error) {
      throw new SerdeError(type, error instanceof Error ? error.message : String(error));
    }
  }
  if (type === 'AVRO') {
    if (!registry) throw new TaskFailed(needsRegistry, { retry: false });
    return registry.readAvro(bytes);
  }
  if (type === 'PROTOBUF')
    throw new TaskFailed('PROTOBUF messages cannot be read: use BYTES and serdes.protobuf.ProtobufToIon.', {
      retry: false,
    });
  if (type === 'STRING' || type === 'UUID') return bytes.toString('utf8');
  return new Uint8Array(bytes);
}

export type Log = Pick<TaskContext, 'log'>;
