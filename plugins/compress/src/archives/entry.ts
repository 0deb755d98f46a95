import { TaskFailed } from '@millrace/plugin-kit';

/** A file to put into an archive. */
export interface SourceFile {
  readonly path: string;
  readonly size: number;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** A file that was found in an archive; its content must be read before the next one. */
export interface ArchiveEntry {
  readonly path: string;
  /** Why it is left out: a link or a device has no content to store. */
  readonly skipped?: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The normalized path of an archive entry; a path that leads out of the archive is rejected. */
export function toEntryPath(path: string): string {
  const steps = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((step) => step !== '' && step !== '.');
  const isAbsolute = /^([/\\]|[a-zA-Z]:)/.test(path);
  if (isAbsolute || steps.includes('..') || steps.length === 0 || path.includes('\0'))
    throw new TaskFailed(
      `The archive has an entry "${path}", which leads out of it. Nothing of it was kept.`,
      {
        retry: false,
      },
    );
  return steps.join('/');
}

export async function* nothing(): AsyncGenerator<Uint8Array> {}
