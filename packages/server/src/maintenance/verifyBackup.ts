import { AppError } from '@millrace/contract';
import { openInspector, type StoreInspection } from '@millrace/store';
import { measureFiles } from './copyFiles.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** Reads a backup through: the database must be sound and everything must be there that was. */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = readManifest(folder);
  const { schema, knownSchema, problems, executions } = await inspect(folder);
  if (problems.length > 0) {
    throw new AppError('illegal-state', `The database of the backup "${folder}" is damaged: ${problems[0]}`);
  }
  if (schema > knownSchema) {
    throw new AppError(
      'illegal-state',
      `The backup "${folder}" has schema ${schema}, but this release of Millrace knows schemas up to ${knownSchema}; restore it with the release that made it (${manifest.version}), or a newer one.`,
    );
  }
  const found = await measureFiles(folder);
  const asWritten =
    schema === manifest.schema &&
    executions === manifest.executions &&
    found.files === manifest.files &&
    found.bytes === manifest.fileBytes;
  if (asWritten) return manifest;
  throw new AppError(
    'illegal-state',
    `The backup "${folder}" is not what was written: it has ${executions} executions and ${found.files} files of ${found.bytes} bytes, not ${manifest.executions} and ${manifest.files} of ${manifest.fileBytes}.`,
  );
}

async function inspect(folder: string): Promise<StoreInspection> {
  try {
    const inspector = await openInspector({ kind: 'sqlite', folder });
    return await inspector.inspect().finally(() => inspector.close());
  } catch (cause) {
    throw new AppError('illegal-state', `The database of the backup "${folder}" cannot be read.`, { cause });
  }
}
