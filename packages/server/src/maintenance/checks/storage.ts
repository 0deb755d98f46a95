import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openInspector } from '@millrace/store';
import { markerOf } from '../../cluster/sharedStorageCheck.ts';
import { blobConfigOf, placeOf } from '../../files/blobConfig.ts';
import type { Check, Finding } from './check.ts';
import { storeConfigOf } from './database.ts';

/** Whether the running servers use the storage of this configuration. */
export const checkStorage: Check = async ({ config }) => {
  const about = (status: Finding['status'], message: string): Finding[] => [
    { check: 'storage', status, message },
  ];
  const storage = blobConfigOf(config, {});
  const place = placeOf(storage);
  if (config.database.url === undefined) return about('ok', `Files are kept in ${place}.`);
  if (storage.kind !== 'local') return about('ok', `Files are kept in ${place}, which servers can share.`);
  const inspector = await openInspector(storeConfigOf(config));
  const servers = await inspector.markingServers().finally(() => inspector.close());
  const strangers: string[] = [];
  for (const id of servers)
    if (!(await exists(join(storage.folder, markerOf(id))))) strangers.push(`"${id}"`);
  if (strangers.length > 0)
    return about(
      'warning',
      `Files are kept in ${place}, but ${strangers.join(', ')} on this database ${strangers.length === 1 ? 'keeps' : 'keep'} them elsewhere: what one writes the other cannot read. Use S3 ("storage.type": "s3") or a folder that all machines share.`,
    );
  return about(
    'ok',
    servers.length < 2
      ? `Files are kept in ${place}. A second server needs that very folder, or S3.`
      : `${servers.length} servers share ${place}.`,
  );
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
