import type { BlobStore } from '@millrace/contract';
import { messageOf, type PluginCatalogue, readInput } from '@millrace/plugin-kit';
import { openBlobs } from '@millrace/store';
import type { Config } from '../config/schema.ts';
import { StartError } from '../startError.ts';
import { blobConfigOf, placeOf } from './blobConfig.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface OpenStorage {
  readonly blobs: BlobStore;
  /** The folder or bucket, for messages. */
  readonly place: string;
}

/** Opens the storage of files: a folder, a bucket, or a storage plugin. */
export async function openStorage(
  config: Pick<Config, 'storage' | 'data'>,
  env: Env,
  catalogue: PluginCatalogue,
): Promise<OpenStorage> {
  const { type, settings } = config.storage;
  if (type === 'local' || type === 's3') {
    const found = blobConfigOf(config, env);
    return { blobs: await openBlobs(found), place: placeOf(found) };
  }
  const definition = catalogue.find(type)?.definition;
  if (definition?.kind !== 'storage' || !definition.open)
    throw new StartError(
      `The storage "${type}" is not there: expected local, s3 or the type of a storage from the folder of plugins.`,
    );
  try {
    const blobs = await definition.open(readInput(type, definition.input, settings));
    return { blobs, place: `the storage "${type}"` };
  } catch (error) {
    throw new StartError(`The storage "${type}" cannot be opened: ${messageOf(error)}`);
  }
}
