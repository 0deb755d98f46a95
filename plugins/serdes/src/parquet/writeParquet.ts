import { gzipSync } from 'node:zlib';
import { importModule, loadZstdCompress } from '@millrace/plugin-kit';
import type { ParquetWriter } from 'hyparquet-writer';
import type { RecordType } from '../avro/columnType.ts';
import { toParquetRecord, toParquetSchema } from './parquetSchema.ts';

export type Codec = 'UNCOMPRESSED' | 'SNAPPY' | 'GZIP' | 'ZSTD';

export interface ParquetFormat {
  readonly codec: Codec;
  readonly rowGroupBytes: number;
  readonly pageBytes: number;
  readonly dictionaryBytes: number;
}

/** A row group is in memory as objects, which are several times larger than its encoded bytes. */
const maxGroupBytes = 16 * 1024 * 1024;
const maxGroupRows = 20_000;

/** Converted rows as the content of a Parquet file, one group of rows after the other. */
export async function* writeParquetFile(
  type: RecordType,
  rows: AsyncIterable<Record<string, unknown>>,
  format: ParquetFormat,
): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } =
    await importModule<typeof import('hyparquet-writer')>('hyparquet-writer');
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema: toParquetSchema(type),
    codec: format.codec,
    compressors: await compressorsFor(format.codec),
  });
  const taken = (): Uint8Array => {
    const chunk = Buffer.from(bytes.getBytes());
    bytes.index = 0;
    return chunk;
  };
  const limit = Math.min(format.rowGroupBytes, maxGroupBytes);
  let group = new RowGroup(type);
  const writeGroup = () =>
    writer.write({
      columnData: group.columns(),
      rowGroupSize: group.count,
      pageSize: format.pageBytes,
      dictionarySize: format.dictionaryBytes,
    });
  for await (const row of rows) {
    group.add(toParquetRecord(type, row));
    if (group.bytes < limit && group.count < maxGroupRows) continue;
    await writeGroup();
    group = new RowGroup(type);
    yield taken();
  }
  if (group.count > 0) await writeGroup();
  await writer.finish();
  yield taken();
}

class RowGroup {
  count = 0;
  /** The approximate size of the values. */
  bytes = 0;
  readonly #names: readonly string[];
  readonly #columns: unknown[][];

  constructor(type: RecordType) {
    this.#names = type.fields.map(({ name }) => name);
    this.#columns = this.#names.map(() => []);
  }

  add(row: Record<string, unknown>): void {
    this.count++;
    for (const [index, name] of this.#names.entries()) {
      const value = row[name];
      this.bytes += sizeOf(value);
      this.#columns[index]?.push(value);
    }
  }

  columns(): { name: string; data: unknown[] }[] {
    return this.#names.map((name, index) => ({ name, data: this.#columns[index] ?? [] }));
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce((sum: number, inner) => sum + sizeOf(inner), 16);
}

type Compressors = NonNullable<ConstructorParameters<typeof ParquetWriter>[0]['compressors']>;

async function compressorsFor(codec: Codec): Promise<Compressors> {
  if (codec === 'GZIP') return { GZIP: (bytes) => gzipSync(bytes) };
  if (codec !== 'ZSTD') return {};
  const compress = await loadZstdCompress();
  return { ZSTD: (bytes) => compress(bytes, 3) };
}
