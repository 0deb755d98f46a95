import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { importModule, messageOf, TaskFailed } from '@millrace/plugin-kit';
import { AvroDecoder, MissingBytes } from './avroDecoder.ts';
import { AvroEncoder } from './avroEncoder.ts';
import { parseAvroType, type RecordType, toAvroSchema } from './columnType.ts';

const magic = Buffer.from([0x4f, 0x62, 0x6a, 0x01]);
const blockBytes = 64 * 1024;
/** A block is read as a whole, so this bounds memory. */
const maxBlockBytes = 256 * 1024 * 1024;

/** Rows, already converted, as the content of an Avro file. */
export async function* writeAvroFile(
  type: RecordType,
  rows: AsyncIterable<Record<string, unknown>>,
): AsyncGenerator<Uint8Array> {
  const sync = randomBytes(16);
  const encoder = new AvroEncoder();
  yield Buffer.concat([magic, header(type), sync]);
  let count = 0;
  for await (const row of rows) {
    encoder.write(type, row);
    count++;
    if (encoder.length < blockBytes) continue;
    yield block(count, encoder.take(), sync);
    count = 0;
  }
  if (count > 0) yield block(count, encoder.take(), sync);
}

function header(type: RecordType): Buffer {
  const encoder = new AvroEncoder();
  encoder.write(
    { kind: 'map', value: { kind: 'bytes' } },
    {
      'avro.schema': Buffer.from(JSON.stringify(toAvroSchema(type))),
      'avro.codec': Buffer.from('null'),
    },
  );
  return encoder.take();
}

function block(count: number, bytes: Buffer, sync: Buffer): Buffer {
  const encoder = new AvroEncoder();
  encoder.long(count);
  encoder.long(bytes.length);
  return Buffer.concat([encoder.take(), bytes, sync]);
}

/** The records of an Avro file, as rows. */
export async function* readAvroFile(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<unknown, void, undefined> {
  const source = new Source(content);
  const head = await source.read((decoder) => {
    if (!decoder.take(4).equals(magic)) throw new TaskFailed('The file is no Avro file.', { retry: false });
    // `as`: the decoder returns values of the requested type.
    const metadata = decoder.read({ kind: 'map', value: { kind: 'bytes' } }) as Map<string, Buffer>;
    return { metadata, sync: Buffer.from(decoder.take(16)) };
  });
  if (!head) throw new TaskFailed('The file is empty: it is no Avro file.', { retry: false });
  const type = parseAvroType(head.metadata.get('avro.schema')?.toString('utf8') ?? '');
  const decompress = await decompressorOf(head.metadata.get('avro.codec')?.toString('utf8') ?? 'null');
  for (let number = 1; ; number++) {
    const next = await source.read((decoder) => {
      const count = decoder.count();
      const size = decoder.count();
      if (size > maxBlockBytes) throw new Error(`it has ${size} bytes, more than ${maxBlockBytes}`);
      const bytes = Buffer.from(decoder.take(size));
      if (!decoder.take(16).equals(head.sync)) throw new Error('the mark at its end is wrong');
      return { count, bytes };
    }, number);
    if (!next) return;
    const decoder = new AvroDecoder(await decompress(next.bytes));
    for (let row = 0; row < next.count; row++) yield decoder.read(type);
  }
}

/** Parses values from chunks of bytes as soon as enough bytes have arrived. */
class Source {
  readonly #content: AsyncIterator<Uint8Array>;
  #pending = Buffer.alloc(0);
  #hasEnded = false;

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#content = content[Symbol.asyncIterator]();
  }

  /** Undefined at the end of the content. */
  async read<T>(parse: (decoder: AvroDecoder) => T, block?: number): Promise<T | undefined> {
    for (let needed = 1; ; needed = this.#pending.length * 2) {
      while (this.#pending.length < needed && !this.#hasEnded) await this.#more();
      if (this.#pending.length === 0) return undefined;
      const decoder = new AvroDecoder(this.#pending);
      try {
        const value = parse(decoder);
        this.#pending = this.#pending.subarray(decoder.at);
        return value;
      } catch (error) {
        if (error instanceof TaskFailed) throw error;
        // The required length doubles with each try, so that parsing again costs little.
        if (!(error instanceof MissingBytes) || this.#hasEnded) throw broken(block, messageOf(error));
      }
    }
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#content.next();
    if (done) this.#hasEnded = true;
    else
      this.#pending = this.#pending.length === 0 ? Buffer.from(value) : Buffer.concat([this.#pending, value]);
  }
}

const broken = (block: number | undefined, problem: string): TaskFailed =>
  new TaskFailed(
    `The Avro file is damaged: ${block === undefined ? 'in its header' : `in block ${block}`}, ${problem}.`,
    { retry: false },
  );

type Decompress = (bytes: Buffer) => Promise<Buffer> | Buffer;

async function decompressorOf(codec: string): Promise<Decompress> {
  switch (codec) {
    case 'null':
      return (bytes) => bytes;
    case 'deflate':
      return (bytes) => inflateRawSync(bytes, { maxOutputLength: maxBlockBytes });
    case 'snappy': {
      const { compressors } =
        await importModule<typeof import('hyparquet-compressors')>('hyparquet-compressors');
      // A 4-byte checksum follows the data, which starts with its own length.
      return (bytes) =>
        Buffer.from(compressors.SNAPPY?.(bytes.subarray(0, -4), snappyLength(bytes)) ?? bytes);
    }
    case 'zstandard': {
      const { decompress } = await importModule<typeof import('fzstd')>('fzstd');
      return (bytes) => Buffer.from(decompress(bytes));
    }
    default:
      throw new TaskFailed(
        `The Avro file is compressed with "${codec}"; null, deflate, snappy and zstandard can be read.`,
        {
          retry: false,
        },
      );
  }
}

function snappyLength(bytes: Buffer): number {
  let length = 0;
  for (let at = 0; at < 5; at++) {
    const byte = bytes[at] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) break;
  }
  if (length > maxBlockBytes)
    throw new TaskFailed('A block of the Avro file is too large.', { retry: false });
  return length;
}
