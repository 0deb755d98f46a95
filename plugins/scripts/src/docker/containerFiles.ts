/// <reference path="./tarFs.d.ts" />
import { pipeline } from 'node:stream/promises';
import { importModule } from '@millrace/plugin-kit';
import type Docker from 'dockerode';

/** The working folder into the container, writable for whatever user runs there. */
export async function copyIn(container: Docker.Container, folder: string): Promise<void> {
  const { pack } = await importModule<typeof import('tar-fs')>('tar-fs');
  const archive = pack(folder, {
    // Folders that others must enter, and files that they must write; a program stays a program.
    dmode: 0o777,
    fmode: 0o666,
    map: (header) => ({ ...header, uid: 0, gid: 0 }),
  });
  await container.putArchive(archive, { path: folder });
}

/** What the container has made of its working folder, back onto this machine. Links and devices stay there. */
export async function copyOut(container: Docker.Container, there: string, folder: string): Promise<void> {
  const { extract } = await importModule<typeof import('tar-fs')>('tar-fs');
  const archive = await container.getArchive({ path: there });
  await pipeline(
    archive,
    extract(folder, {
      // Every name begins with that of the folder itself; whatever an engine says there, it stays inside.
      map: (header) => ({ ...header, name: header.name.split('/').slice(1).join('/') || '.' }),
      ignore: (_name, header) => header?.type !== 'file' && header?.type !== 'directory',
      dmode: 0o700,
      fmode: 0o600,
    }),
  );
}
