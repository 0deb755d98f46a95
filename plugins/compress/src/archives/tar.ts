import { type PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { importModule } from '@millrace/plugin-kit';
import type { Headers } from 'tar-stream';
import { type ArchiveEntry, nothing, type SourceFile } from './entry.ts';

type TarStream = typeof import('tar-stream');
const loadTar = async (): Promise<TarStream> => {
  const module = await importModule<TarStream & { default?: TarStream }>('tar-stream');
  return module.default ?? module;
};

export async function* writeTar(files: readonly SourceFile[]): AsyncGenerator<Uint8Array> {
  const pack = (await loadTar()).pack();
  const filling = fill();
  filling.catch((error: Error) => pack.destroy(error));
  yield* pack as AsyncIterable<Buffer>;
  await filling;

  async function fill(): Promise<void> {
    for (const { path, size, open } of files) {
      const entry = pack.entry({ name: path, size, mode: 0o644, mtime: new Date(0) });
      await pipeline(Readable.from(exactly(await open(), size, path), { objectMode: false }), entry);
    }
    pack.finalize();
  }
}

/** The header of an entry states its size first: content of another size would break the archive without an error. */
async function* exactly(
  content: AsyncIterable<Uint8Array>,
  size: number,
  path: string,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of content) {
    read += chunk.length;
    if (read > size) break;
    yield chunk;
  }
  if (read !== size) throw new Error(`The file for "${path}" changed while it was read.`);
}

/** Links and devices are named and never made. */
export async function* readTar(content: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const extract = (await loadTar()).extract();
  const waiting: { header: Headers; entry: PassThrough; next: () => void }[] = [];
  let wake = () => {};
  let failure: unknown;
  let hasEnded = false;
  extract.on('entry', (header, entry, next) => {
    waiting.push({ header, entry, next });
    wake();
  });
  const flowing = pipeline(Readable.from(content, { objectMode: false }), extract).then(
    () => {
      hasEnded = true;
      wake();
    },
    (error: unknown) => {
      failure = error;
      hasEnded = true;
      wake();
    },
  );
  try {
    for (;;) {
      const found = waiting.shift();
      if (found) {
        yield* toEntry(found.header, found.entry);
        found.entry.resume();
        found.next();
      } else if (hasEnded) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    extract.destroy();
    await flowing;
  }
  if (failure) throw failure;
}

function* toEntry({ name, type }: Headers, entry: PassThrough): Generator<ArchiveEntry> {
  if (type === 'directory') return;
  if (type === 'file' || type === 'contiguous-file')
    yield { path: name, content: entry as AsyncIterable<Uint8Array> };
  else yield { path: name, skipped: `it is a ${type}`, content: nothing() };
}
