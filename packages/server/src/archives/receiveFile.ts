import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@millrace/contract';
import type { FastifyRequest } from 'fastify';
import { eachPart } from '../http/form.ts';

export interface ReceivedFile {
  /** As the sender called it: never a path to write to. */
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
}

/** Streams the named part of a form into a separate folder, which exists while `use` runs. */
export async function receiveFile<T>(
  request: FastifyRequest,
  { field, workFolder }: { readonly field: string; readonly workFolder: string },
  use: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw missing(field);
  const folder = await mkdtemp(join(workFolder, 'upload-'));
  try {
    let received: ReceivedFile | undefined;
    await eachPart(request, async (part) => {
      if (part.type !== 'file') return;
      if (part.fieldname !== field || received) {
        part.file.resume();
        return;
      }
      const path = join(folder, 'file');
      const target = createWriteStream(path);
      // If the sender disconnects before the file is open, opening it fails after the pipeline has ended.
      target.on('error', () => {});
      await pipeline(part.file, target);
      if (part.file.truncated) throw tooLarge(part.filename);
      received = { name: part.filename ?? '', path, sizeBytes: (await stat(path)).size };
    });
    if (!received) throw missing(field);
    return await use(received);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const missing = (field: string): AppError =>
  new AppError('illegal-argument', `the form has no file "${field}"`);

export const tooLarge = (name: string): AppError =>
  new AppError('illegal-argument', `the file "${name.slice(0, 100)}" is larger than this server takes`);
