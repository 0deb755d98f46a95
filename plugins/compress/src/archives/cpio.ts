import { ChunkReader } from './chunkReader.ts';
import { type ArchiveEntry, nothing, type SourceFile } from './entry.ts';

const trailer = 'TRAILER!!!';
const typeBits = 0o170000;
const regular = 0o100000;
const folder = 0o040000;

/** Writes a cpio archive in the portable form without checksums ("newc"). */
export async function* writeCpio(files: readonly SourceFile[]): AsyncGenerator<Uint8Array> {
  for (const [index, file] of files.entries()) {
    yield header(file.path, file.size, regular | 0o644, index + 1);
    yield* await file.open();
    yield Buffer.alloc(padding(file.size));
  }
  const end = header(trailer, 0, 0, 0);
  yield Buffer.concat([end, Buffer.alloc((512 - (end.length % 512)) % 512)]);
}

const padding = (size: number): number => (4 - (size % 4)) % 4;

function header(path: string, size: number, mode: number, inode: number): Buffer {
  const name = Buffer.from(`${path}\0`);
  const fields = [inode, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, name.length, 0];
  const text = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`;
  return Buffer.concat([Buffer.from(text), name, Buffer.alloc(padding(text.length + name.length))]);
}

interface Header {
  readonly mode: number;
  readonly size: number;
  readonly path: string;
  /** Names and contents are filled up to a multiple of this. */
  readonly align: number;
}

/** Reads a cpio archive in one of the two portable forms. */
export async function* readCpio(content: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const reader = new ChunkReader(content);
  for (;;) {
    const { mode, size, path, align } = await readHeader(reader);
    if (path === trailer) return;
    const part = reader.part(size);
    const type = mode & typeBits;
    if (type === regular) yield { path, content: part.content };
    else if (type !== folder) yield { path, skipped: 'it is a link or a device', content: nothing() };
    await part.rest();
    if (align === 4) await reader.need(padding(size));
  }
}

async function readHeader(reader: ChunkReader): Promise<Header> {
  const magic = (await reader.need(6)).toString('latin1');
  const isNew = magic === '070701' || magic === '070702';
  if (!isNew && magic !== '070707') throw new Error('it is no cpio archive of a portable form');
  const text = (await reader.need(isNew ? 104 : 70)).toString('latin1');
  const number = (start: number, length: number, radix: number) => {
    const value = Number.parseInt(text.slice(start, start + length), radix);
    if (Number.isNaN(value)) throw new Error('a header is damaged');
    return value;
  };
  const mode = isNew ? number(8, 8, 16) : number(12, 6, 8);
  const size = isNew ? number(48, 8, 16) : number(59, 11, 8);
  const nameLength = isNew ? number(88, 8, 16) : number(53, 6, 8);
  if (nameLength > 4096) throw new Error('a name is too long');
  const name = (await reader.need(nameLength)).toString('utf8');
  if (isNew) await reader.need(padding(110 + nameLength));
  return { mode, size, path: name.replace(/\0.*$/s, ''), align: isNew ? 4 : 1 };
}
