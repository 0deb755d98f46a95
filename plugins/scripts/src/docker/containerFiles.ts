/// <reference path="./tarFs.d.ts" />
import { pipeline } from 'node:stream/promises';
import { importModule } from '@millrace/plugin-kit';
import type Docker from 'dockerode';

interface PackOptions {
  /** Relative paths that are left out. */
  readonly ignore?: (path: string) => boolean;
  /** Makes folders and files writable for every user, because the container's user is unknown. */
  readonly isWritable?: boolean;
}

/** Packs a folder into a tar archive; root owns all entries. */
export async function packFolder(
  folder: string,
  { ignore, isWritable = false }: PackOptions = {},
): Promise<NodeJS.ReadableStream> {
  const { pack } = await importModule<typeof import('tar-fs')>('tar-fs');
  return pack(folder, {
    ...(ignore && { ignore: (path) => path !== folder && ignore(path.slice(folder.length + 1)) }),
    // These modes are added to the file modes, so an executable stays executable.
    ...(isWritable && { dmode: 0o777, fmode: 0o666 }),
    map: (header) => ({ ...header, uid: 0, gid: 0 }),
  });
}

/**
 * Unpacks files and folders of a tar archive. Skips links and devices, and no path can leave the folder.
 * @param depth The number of leading path segments to strip.
 */
export async function unpackInto(
  folder: string,
  archive: NodeJS.ReadableStream,
  depth: number,
): Promise<void> {
  const { extract } = await importModule<typeof import('tar-fs')>('tar-fs');
  await pipeline(
    archive,
    extract(folder, {
      map: (header) => ({ ...header, name: header.name.split('/').slice(depth).join('/') || '.' }),
      ignore: (_name, header) => header?.type !== 'file' && header?.type !== 'directory',
      dmode: 0o700,
      fmode: 0o600,
    }),
  );
}

/** Copies the working folder into the container, writable for any user that runs there. */
export async function copyIn(container: Docker.Container, folder: string): Promise<void> {
  await container.putArchive(await packFolder(folder, { isWritable: true }), { path: folder });
}

/** Copies the working folder of the container back onto this machine. */
export async function copyOut(container: Docker.Container, there: string, folder: string): Promise<void> {
  // Every name begins with that of the folder itself.
  await unpackInto(folder, await container.getArchive({ path: there }), 1);
}
