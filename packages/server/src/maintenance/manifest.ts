import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@millrace/contract';
import { z } from 'zod';

export const manifestFile = 'backup.json';

/** The metadata of a backup. */
export const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  createdAt: z.string(),
  schema: z.number().int(),
  executions: z.number().int(),
  files: z.number().int(),
  fileBytes: z.number().int(),
});
export type Manifest = z.infer<typeof Manifest>;

export function readManifest(folder: string): Manifest {
  let text: string;
  try {
    text = readFileSync(join(folder, manifestFile), 'utf8');
  } catch (cause) {
    throw new AppError('illegal-argument', `"${folder}" is not a backup: it has no ${manifestFile}.`, {
      cause,
    });
  }
  const parsed = Manifest.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new AppError(
    'illegal-argument',
    `The ${manifestFile} of "${folder}" cannot be understood by this release.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
