import { importModule, messageOf, TaskFailed } from '@millrace/plugin-kit';
import type * as Avsc from 'avsc';

/** The bytes of a value, or a failure that says why the value does not match. */
export function toAvro(type: Avsc.Type, value: unknown, subject: string): Buffer {
  try {
    return type.toBuffer(value);
  } catch (error) {
    throw new TaskFailed(`The value does not match the AVRO schema of "${subject}": ${messageOf(error)}`, {
      retry: false,
    });
  }
}

/** One request per key, also while it is under way; a failed one is tried again. */
export function remembered<K, V>(map: Map<K, Promise<V>>, key: K, make: (key: K) => Promise<V>): Promise<V> {
  const known = map.get(key);
  if (known) return known;
  const made = make(key);
  map.set(key, made);
  made.catch(() => map.delete(key));
  return made;
}

export async function avroType(schema: string): Promise<Avsc.Type> {
  const loaded = await importModule<typeof Avsc & { readonly default?: typeof Avsc }>('avsc');
  const avsc = loaded.default ?? loaded;
  // Numbers beyond 53 bits stay exact.
  const long = avsc.types.LongType.__with({
    fromBuffer: (buffer: Buffer) => {
      const value = buffer.readBigInt64LE();
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    },
    toBuffer: (value: number | bigint) => {
      const buffer = Buffer.alloc(8);
      buffer.writeBigInt64LE(BigInt(value));
      return buffer;
    },
    fromJSON: Number,
    toJSON: Number,
    isValid: (value: unknown) => typeof value === 'bigint' || Number.isInteger(value),
    compare: (a: number | bigint, b: number | bigint) => (a < b ? -1 : a > b ? 1 : 0),
  });
  try {
    return avsc.Type.forSchema(readSchema(schema), { registry: { long } });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TaskFailed(`The AVRO schema cannot be read: ${reason}`, { retry: false });
  }
}

const readSchema = (schema: string): Avsc.Schema => (/^\s*[{["]/.test(schema) ? JSON.parse(schema) : schema);
