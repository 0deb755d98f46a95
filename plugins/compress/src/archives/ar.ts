import { ChunkReader } from './chunkReader.ts';
import type { ArchiveEntry, SourceFile } from './entry.ts';

const magic = '!<arch>\n';

/** Writes an ar archive; names that do not fit the header are written before the content, as on BSD. */
export async function* writeAr(files: readonly SourceFile[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(magic);
  for (const file of files) {
    const name = Buffer.from(file.path);
    const isLong = name.length > 15 || !/^[!-.0-~]+$/.test(file.path);
    const size = file.size + (isLong ? name.length : 0);
    const fields = [
      (isLong ? `#1/${name.length}` : `${file.path}/`).padEnd(16),
      '0'.padEnd(12),
      '0'.padEnd(6),
      '0'.padEnd(6),
      '100644'.padEnd(8),
      String(size).padEnd(10),
    ];
    yield Buffer.from(`${fields.join('')}\`\n`);
    if (isLong) yield name;
    yield* await file.open();
    if (size % 2 === 1) yield Buffer.from('\n');
  }
}

/** Reads an ar archive with long names of GNU and of BSD. */
export async function* readAr(content: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const reader = new ChunkReader(content);
  if ((await reader.need(8)).toString('latin1') !== magic) throw new Error('it is no ar archive');
  let longNames = '';
  for (let header = await reader.take(60); header; header = await reader.take(60)) {
    const name = header.toString('latin1', 0, 16).trimEnd();
    const size = Number(header.toString('latin1', 48, 58).trim());
    if (!Number.isInteger(size) || size < 0 || header.toString('latin1', 58, 60) !== '`\n')
      throw new Error('a header is damaged');
    if (name === '//') longNames = (await reader.need(size)).toString('utf8');
    else if (name === '/' || name === '/SYM64/' || name.startsWith('__.SYMDEF'))
      await reader.part(size).rest();
    else {
      const bsd = /^#1\/(\d+)$/.exec(name);
      const nameLength = bsd ? Number(bsd[1]) : 0;
      if (nameLength > 4096 || nameLength > size) throw new Error('a name is too long');
      const path = bsd
        ? (await reader.need(nameLength)).toString('utf8').replace(/\0+$/, '')
        : gnuName(name, longNames);
      const part = reader.part(size - nameLength);
      yield { path, content: part.content };
      await part.rest();
    }
    if (size % 2 === 1) await reader.take(1);
  }
}

function gnuName(name: string, longNames: string): string {
  const at = /^\/(\d+)$/.exec(name);
  if (!at) return name.replace(/\/$/, '');
  return longNames.slice(Number(at[1])).split('\n')[0]?.replace(/\/$/, '') ?? '';
}
