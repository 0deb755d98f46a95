import {
  chunksOf,
  defineTask,
  type Example,
  storageUri,
  type TaskContext,
  type TaskDefinition,
  text,
  writeTypedRows,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { encodeText } from './charset.ts';

export const fromProperty = () => storageUri().describe('The URI of the file in internal storage.');

export const charsetProperty = () =>
  text().default('UTF-8').describe('The character set of the file, for example `ISO-8859-1` or `UTF-16`.');

export interface Converted {
  readonly uri: string;
  readonly size: number;
}

interface ConverterOptions<I extends z.ZodObject> {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly aliases?: readonly string[];
  readonly input: () => I;
  readonly examples: readonly Example[];
  convert(context: TaskContext, input: z.infer<I>): Promise<Converted>;
}

/** A task that reads one stored file and writes another: outputs `uri` and `size`, metric `records`. */
export function defineConverter<I extends z.ZodObject>(options: ConverterOptions<I>): TaskDefinition {
  const { convert, ...description } = options;
  return defineTask({
    ...description,
    output: () =>
      z.object({
        uri: z.string().describe('The URI of the converted file.'),
        size: z.number().describe('How many records it has.'),
      }),
    metrics: [
      { name: 'records', type: 'counter', unit: 'records', description: 'Records that were converted.' },
    ],
    sideEffects: true,
    async run(context, input) {
      const converted = await convert(context, input);
      context.metric({ name: 'records', type: 'counter', value: converted.size });
      return { ...converted };
    },
  });
}

/** Stores rows as a file that every task can read; backpressure comes from the storage. */
export async function storeRows(
  context: TaskContext,
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  name = 'rows.ion',
): Promise<Converted> {
  const writer = writeTypedRows(rows, context.signal);
  const uri = await context.files.put(name, writer.content);
  return { uri, size: writer.count };
}

/** Stores texts, one after the other, in a character set. */
export async function storeText(
  context: TaskContext,
  name: string,
  texts: AsyncIterable<string> | Iterable<string>,
  charset: string,
): Promise<string> {
  const isUtf8 = /^utf-?8$/i.test(charset.trim());
  return context.files.put(
    name,
    isUtf8 ? chunksOf(texts, context.signal) : await encodeText(texts, charset, context.signal),
  );
}
