import { ChunkReader } from './chunkReader.ts';
import { type ArchiveEntry, nothing } from './entry.ts';

/** Reads an ARJ archive whose files are stored without compression. */
export async function* readArj(content: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const reader = new ChunkReader(content);
  let isFirst = true;
  for (let header = await readHeader(reader); header; header = await readHeader(reader)) {
    // The first header describes the archive itself.
    if (isFirst) {
      isFirst = false;
      continue;
    }
    const firstSize = header.readUInt8(0);
    const flags = header.readUInt8(4);
    const method = header.readUInt8(5);
    const type = header.readUInt8(6);
    const size = header.readUInt32LE(12);
    const path = header.toString('utf8', firstSize, header.indexOf(0, firstSize));
    const part = reader.part(size);
    if (type === 3) yield { path, skipped: 'it is a folder', content: nothing() };
    else if (flags & 0x01) throw new Error(`"${path}" is encrypted`);
    else if (method !== 0)
      throw new Error(`"${path}" is compressed, and only stored files of ARJ can be read`);
    else yield { path, content: part.content };
    await part.rest();
  }
}

/** Undefined at the end of the archive. */
async function readHeader(reader: ChunkReader): Promise<Buffer | undefined> {
  if ((await reader.need(2)).readUInt16LE(0) !== 0xea60) throw new Error('it is no ARJ archive');
  const size = (await reader.need(2)).readUInt16LE(0);
  if (size === 0) return undefined;
  const header = Buffer.from(await reader.need(size));
  await reader.need(4);
  for (
    let more = (await reader.need(2)).readUInt16LE(0);
    more > 0;
    more = (await reader.need(2)).readUInt16LE(0)
  )
    await reader.need(more + 4);
  return header;
}
