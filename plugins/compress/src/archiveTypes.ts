import { createHash } from 'node:crypto';
import {
  choice,
  defineTask,
  isStorageUri,
  messageOf,
  readText,
  someValue,
  storageUri,
  type TaskContext,
  TaskFailed,
  toInnerPath,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { compress, compressions, decompress, extensions } from './algorithms.ts';
import { readAr, writeAr } from './archives/ar.ts';
import { readArj } from './archives/arj.ts';
import { readCpio, writeCpio } from './archives/cpio.ts';
import { type ArchiveEntry, type SourceFile, toEntryPath } from './archives/entry.ts';
import { readTar, writeTar } from './archives/tar.ts';
import { readZip, writeZip } from './archives/zip.ts';
import { Limits } from './limits.ts';
import { type Scratch, withScratch } from './scratch.ts';

const algorithms = ['AR', 'ARJ', 'CPIO', 'DUMP', 'JAR', 'TAR', 'ZIP'] as const;
type Algorithm = (typeof algorithms)[number];

const algorithm = () =>
  choice(algorithms).describe(
    'The kind of archive. `ARJ` can be read when its files are stored without compression; `DUMP` is not supported.',
  );

const compression = () =>
  choice(compressions)
    .optional()
    .describe('How the archive as a whole is compressed, for example `GZIP` for `.tar.gz`.');

export const archiveCompress = defineTask({
  type: 'compress.ArchiveCompress',
  title: 'Put files into an archive',
  description: 'Makes an archive of files in internal storage, with a compression of the whole when asked.',
  input: () =>
    z.object({
      algorithm: algorithm(),
      compression: compression(),
      from: someValue().describe(
        'The files: a map from path in the archive to URI, a list of such maps, either as JSON, or the URI of a file with it.',
      ),
    }),
  output: () => z.object({ uri: z.string().describe('The URI of the archive.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Put two files into a compressed tar archive.',
      runs: true,
      code: `id: archive
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: tar
    type: compress.ArchiveCompress
    algorithm: TAR
    compression: GZIP
    from:
      data/first.txt: "{{ inputs.file }}"
      data/second.txt: "{{ inputs.file }}"
`,
    },
  ],
  async run(context, input) {
    const files = await sourceFiles(context, input.from);
    const archive = write(input.algorithm, files);
    const content = input.compression ? compress(archive, input.compression) : archive;
    const name = `archive.${input.algorithm.toLowerCase()}${input.compression ? extensions[input.compression] : ''}`;
    return { uri: await context.files.put(name, content) };
  },
});

function write(kind: Algorithm, files: readonly SourceFile[]): AsyncIterable<Uint8Array> {
  switch (kind) {
    case 'AR':
      return writeAr(files);
    case 'CPIO':
      return writeCpio(files);
    case 'TAR':
      return writeTar(files);
    case 'ZIP':
    case 'JAR':
      return writeZip(files);
    default:
      throw new TaskFailed(`${kind} archives cannot be written; use for example TAR or ZIP.`, {
        retry: false,
      });
  }
}

async function sourceFiles(context: TaskContext, from: unknown): Promise<SourceFile[]> {
  const map = await readMap(context, from);
  const files: SourceFile[] = [];
  for (const [path, uri] of Object.entries(map)) {
    if (typeof uri !== 'string' || !isStorageUri(uri))
      throw new TaskFailed(
        `"${path}" must be the URI of a file in internal storage, got ${JSON.stringify(uri)}.`,
        {
          retry: false,
        },
      );
    const size = await context.files.sizeOf(uri);
    if (size === undefined) throw new TaskFailed(`The file ${uri} does not exist.`, { retry: false });
    files.push({ path: toInnerPath(path.replace(/^\/+/, '')), size, open: () => context.files.read(uri) });
  }
  return files;
}

async function readMap(context: TaskContext, from: unknown): Promise<Readonly<Record<string, unknown>>> {
  if (typeof from === 'string')
    return readMap(
      context,
      parseJson(isStorageUri(from.trim()) ? await readText(context.files, from.trim()) : from),
    );
  if (Array.isArray(from)) {
    const maps = await Promise.all(from.map((item) => readMap(context, item)));
    return Object.assign({}, ...maps);
  }
  if (typeof from !== 'object' || from === null)
    throw new TaskFailed('"from" must be a map from path to URI, or a list of such maps.', { retry: false });
  return from as Readonly<Record<string, unknown>>; // checked above
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object') return value;
  } catch (error) {
    throw new TaskFailed(`"from" must be a map from path to URI; it is no JSON: ${messageOf(error)}`, {
      retry: false,
    });
  }
  throw new TaskFailed('"from" must be a map from path to URI.', { retry: false });
}

export const archiveDecompress = defineTask({
  type: 'compress.ArchiveDecompress',
  title: 'Take files out of an archive',
  description:
    'Stores every file of an archive. Links and devices are left out with a warning, and an archive with a path that leads out of it is refused as a whole. An archive that becomes more than 500 times larger, and more than 256 MiB, or has more than 100,000 entries is refused; the configuration of the type can change `maxRatio`, `maxBytes` and `maxEntries`.',
  input: () =>
    z.object({
      algorithm: algorithm(),
      compression: compression(),
      from: storageUri().describe('The URI of the archive in internal storage.'),
    }),
  output: () =>
    z.object({
      files: z.record(z.string(), z.string()).describe('The URIs of the files by their path in the archive.'),
    }),
  metrics: [
    { name: 'size', type: 'counter', unit: 'bytes', description: 'Bytes of all files.' },
    { name: 'count', type: 'counter', description: 'Files in the archive.' },
  ],
  sideEffects: true,
  examples: [
    {
      title: 'Download a zip file and use one of its files.',
      runs: false,
      code: `id: unzip
namespace: company.team

tasks:
  - id: download
    type: core.http.Download
    uri: https://example.com/orders.zip

  - id: unzip
    type: compress.ArchiveDecompress
    algorithm: ZIP
    from: "{{ outputs.download.uri }}"

  - id: rows
    type: serdes.csv.CsvToIon
    from: "{{ outputs.unzip.files['orders.csv'] }}"
`,
    },
  ],
  run: (context, input) =>
    withScratch(context, async (scratch) => {
      const limits = await Limits.of(context, 'compress.ArchiveDecompress', input.from);
      const files = new Map<string, string>();
      let size = 0;
      async function* counted(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        for await (const chunk of limits.guard(content, context.signal)) {
          size += chunk.length;
          yield chunk;
        }
      }
      try {
        const archive = await context.files.read(input.from);
        const content = input.compression ? decompress(archive, input.compression, scratch) : archive;
        for await (const entry of read(input.algorithm, content, scratch)) {
          limits.countEntry();
          const path = toEntryPath(entry.path);
          if (entry.skipped === undefined)
            files.set(path, await context.files.put(storedName(path), counted(entry.content)));
          else await context.log('WARN', `"${path}" was left out: ${entry.skipped}.`);
        }
      } catch (error) {
        for (const uri of files.values()) await context.files.delete(uri);
        if (error instanceof TaskFailed || context.signal.aborted) throw error;
        const problem = messageOf(error).replace(/\.$/, '');
        throw new TaskFailed(`The ${input.algorithm} archive cannot be read: ${problem}.`, {
          retry: false,
          cause: error,
        });
      }
      context.metric({ name: 'size', type: 'counter', value: size });
      context.metric({ name: 'count', type: 'counter', value: files.size });
      return { files: Object.fromEntries(files) };
    }),
});

async function* read(
  kind: Algorithm,
  content: AsyncIterable<Uint8Array>,
  scratch: Scratch,
): AsyncGenerator<ArchiveEntry> {
  switch (kind) {
    case 'AR':
      return yield* readAr(content);
    case 'ARJ':
      return yield* readArj(content);
    case 'CPIO':
      return yield* readCpio(content);
    case 'TAR':
      return yield* readTar(content);
    case 'ZIP':
    case 'JAR':
      return yield* readZip(await scratch.write(content), scratch);
    case 'DUMP':
      throw new TaskFailed('DUMP archives are not supported: unpack them with the program "restore".', {
        retry: false,
      });
  }
}

/** Two folders may hold files of one name; the hash of the path keeps them apart. */
function storedName(path: string): string {
  const name = path.split('/').at(-1) ?? 'file';
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return `${hash}-${name.replace(/[^\w.-]/g, '_')}`;
}
