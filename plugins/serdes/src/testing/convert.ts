import { type TaskDefinition, writeTypedRows } from '@millrace/plugin-kit';
import { aTaskContext, runType, storedRows, type TestContext } from '@millrace/plugin-kit/testing';

type Properties = Readonly<Record<string, unknown>>;

export interface Conversion {
  readonly context: TestContext;
  readonly uri: string;
  readonly size: unknown;
}

/** Runs a converter on a file with this content. */
export async function convertFile(
  definition: TaskDefinition,
  content: string | Uint8Array,
  properties: Properties = {},
  context = aTaskContext(),
): Promise<Conversion> {
  const from = await context.files.put('input', content);
  const { uri, size } = await runType(definition, { from, ...properties }, context);
  return { context, uri: String(uri), size };
}

/** Runs a converter on these rows. */
export async function convertRowsTo(
  definition: TaskDefinition,
  rows: readonly unknown[],
  properties: Properties = {},
  context = aTaskContext(),
): Promise<Conversion> {
  const from = await context.files.put('rows.ion', writeTypedRows(rows).content);
  const { uri, size } = await runType(definition, { from, ...properties }, context);
  return { context, uri: String(uri), size };
}

export const rowsOf = ({ context, uri }: Conversion): Promise<unknown[]> => storedRows(context, uri);

export const textOf = ({ context, uri }: Conversion): Promise<string> => context.files.text(uri);

export const bytesOf = ({ context, uri }: Conversion): Buffer =>
  context.files.byPath.get(uri.replace('millrace://', '')) ?? Buffer.alloc(0);
