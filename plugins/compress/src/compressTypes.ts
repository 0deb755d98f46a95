import { choice, defineTask, nameOfUri, storageUri } from '@millrace/plugin-kit';
import { z } from 'zod';
import { compress, compressions, decompress, extensions } from './algorithms.ts';
import { Limits } from './limits.ts';
import { withScratch } from './scratch.ts';

const from = () => storageUri().describe('The URI of the file in internal storage.');

const compression = (purpose: string) => choice(compressions).describe(purpose);

const output = () => z.object({ uri: z.string().describe('The URI of the new file.') });

export const fileCompress = defineTask({
  type: 'compress.FileCompress',
  title: 'Compress a file',
  description: 'Compresses one file. `BROTLI`, `DEFLATE64`, `SNAPPY` and `Z` can be read but not written.',
  input: () => z.object({ from: from(), compression: compression('The algorithm.') }),
  output,
  sideEffects: true,
  examples: [
    {
      title: 'Compress a file with gzip.',
      runs: true,
      code: `id: gzip
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: compress
    type: compress.FileCompress
    from: "{{ inputs.file }}"
    compression: GZIP
`,
    },
  ],
  async run(context, input) {
    const content = compress(await context.files.read(input.from), input.compression);
    const name = `${nameOfUri(input.from)}${extensions[input.compression]}`;
    return { uri: await context.files.put(name, stoppable(content, context.signal)) };
  },
});

async function* stoppable(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    signal.throwIfAborted();
    yield chunk;
  }
}

export const fileDecompress = defineTask({
  type: 'compress.FileDecompress',
  title: 'Decompress a file',
  description:
    'Decompresses one file. A file that becomes more than 500 times larger, and more than 256 MiB, is refused; the configuration of the type can raise `maxRatio` and set `maxBytes`.',
  input: () =>
    z.object({ from: from(), compression: compression('The algorithm that the file was made with.') }),
  output,
  sideEffects: true,
  examples: [
    {
      title: 'Download and decompress a file.',
      runs: false,
      code: `id: gunzip
namespace: company.team

tasks:
  - id: download
    type: core.http.Download
    uri: https://example.com/orders.csv.gz

  - id: decompress
    type: compress.FileDecompress
    from: "{{ outputs.download.uri }}"
    compression: GZIP
`,
    },
  ],
  run: (context, input) =>
    withScratch(context, async (scratch) => {
      const limits = await Limits.of(context, 'compress.FileDecompress', input.from);
      const content = decompress(await context.files.read(input.from), input.compression, scratch);
      const name = nameOfUri(input.from);
      const extension = extensions[input.compression];
      const plainName = name.endsWith(extension) ? name.slice(0, -extension.length) || 'file' : name;
      return { uri: await context.files.put(plainName, limits.guard(content, context.signal)) };
    }),
});
