import { z } from 'zod';
import { readFrontMatter } from './frontMatter.ts';
import type { TextFile } from './textFiles.ts';

/** The validated front matter of a file and its body. Errors name the file. */
export function parseMeta<S extends z.ZodType>(
  schema: S,
  { path, text }: TextFile,
): { readonly meta: z.infer<S>; readonly body: string } {
  const { data, body } = readFrontMatter(text);
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`);
  return { meta: parsed.data, body };
}
