import { Readable } from 'node:stream';
import { importModule } from '@millrace/plugin-kit';
import type { Entry, ZipFile } from 'yauzl';
import { type Compression, decompress } from '../algorithms.ts';
import type { Scratch } from '../scratch.ts';
import { type ArchiveEntry, nothing, type SourceFile } from './entry.ts';

type Yauzl = typeof import('yauzl');
type Yazl = typeof import('yazl');

export async function* writeZip(files: readonly SourceFile[]): AsyncGenerator<Uint8Array> {
  const module = await importModule<Yazl & { default?: Yazl }>('yazl');
  const zip = new (module.default ?? module).ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { path, open } of files)
    zip.addReadStreamLazy(path, { mtime: new Date(1980, 0, 1), mode: 0o100644 }, (done) => {
      open().then(
        (content) => done(null, failingInto(output, Readable.from(content, { objectMode: false }))),
        (error: Error) => output.destroy(error),
      );
    });
  zip.end();
  yield* output as AsyncIterable<Buffer>;
}

/** A source that fails ends the output, where the failure is read; the library would let it end the process. */
function failingInto(output: Readable, source: Readable): Readable {
  return source.on('error', (error) => output.destroy(error));
}

/** Methods of compression that the library leaves to others. */
const otherMethods = new Map<number, Compression>([
  [9, 'DEFLATE64'],
  [12, 'BZIP2'],
  [93, 'ZSTD'],
]);

const unixLink = 0o120000;

/** Reads a zip file on disk, because its directory is at its end. */
export async function* readZip(path: string, scratch: Scratch): AsyncGenerator<ArchiveEntry> {
  const module = await importModule<Yauzl & { default?: Yauzl }>('yauzl');
  const zip = await (module.default ?? module).openPromise(path);
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      const mode = entry.externalFileAttributes >>> 16;
      if ((mode & 0o170000) === unixLink)
        yield { path: entry.fileName, skipped: 'it is a link', content: nothing() };
      else yield { path: entry.fileName, content: contentOf(zip, entry, scratch) };
    }
  } finally {
    zip.close();
  }
}

async function* contentOf(zip: ZipFile, entry: Entry, scratch: Scratch): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) throw new Error(`"${entry.fileName}" is encrypted`);
  const other = otherMethods.get(entry.compressionMethod);
  const raw = other !== undefined;
  const stream = await zip.openReadStreamPromise(entry, raw ? { decodeFileData: false } : {});
  const content = stream as AsyncIterable<Buffer>;
  yield* other ? decompress(content, other, scratch) : content;
}
