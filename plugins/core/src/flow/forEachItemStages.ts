import { mergeType, splitType } from '@millrace/engine';
import type { FileStorage } from '@millrace/plugin-kit';
import { defineTask, integer, part, splitFile, storageUri, text } from '@millrace/plugin-kit';
import { z } from 'zod';

/** The first inner task of a ForEachItem: splits the file and lists the batches in a separate file. */
export const forEachItemSplit = defineTask({
  type: splitType,
  isInner: true,
  title: 'Cut the file of a ForEachItem',
  description: 'The engine creates this task; flows do not write it.',
  input: () =>
    z.object({
      items: storageUri(),
      batch: part({
        rows: integer({ min: 1 }).optional(),
        partitions: integer({ min: 1 }).optional(),
        bytes: text().optional(),
        separator: text().default('\n'),
      }).optional(),
      maxBatches: integer({ min: 1 }).optional(),
    }),
  output: () => z.object({ splits: z.string() }),
  sideEffects: true,
  examples: [],
  run: async (context, { items, batch, maxBatches }) => {
    const uris = await splitFile(context, items, { separator: '\n', ...batch, maxParts: maxBatches });
    return { splits: await context.files.put('splits.txt', uris.map((uri) => `${uri}\n`).join('')) };
  },
});

/** The last one: the outputs of all children as one file, a line per batch. */
export const forEachItemMerge = defineTask({
  type: mergeType,
  isInner: true,
  title: 'Merge the outputs of a ForEachItem',
  description: 'The engine creates this task; flows do not write it.',
  input: () => z.object({ baseUri: text(), batches: integer({ min: 0 }) }),
  output: () => z.object({ subflowOutputs: z.string().optional() }),
  sideEffects: true,
  examples: [],
  run: async ({ files }, { baseUri, batches }) =>
    baseUri === ''
      ? {}
      : { subflowOutputs: await files.put('outputs.ion', linesOf(files, baseUri, batches)) },
});

/** Streams the lines batch by batch to bound memory to one batch. A child without outputs yields null. */
async function* linesOf(files: FileStorage, baseUri: string, batches: number): AsyncGenerator<Uint8Array> {
  for (let batch = 1; batch <= batches; batch++) {
    const uri = `${baseUri}/${batch}/outputs.ion`;
    if ((await files.sizeOf(uri)) === undefined) yield Buffer.from('null\n');
    else yield* await files.read(uri);
  }
}
