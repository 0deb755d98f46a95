import { choice, TaskFailed, text } from '@millrace/plugin-kit';
import type { Google } from '../google/client.ts';
import { type Blob, copyObject, deleteObject, parsePlace } from './objects.ts';

export const actionProperties = {
  action: choice(['MOVE', 'DELETE', 'NONE'])
    .default('NONE')
    .describe('What happens to each object in the bucket after its download.'),
  moveDirectory: text().optional().describe('Where objects go with `MOVE`, such as `gs://bucket/archive/`.'),
};

export const actionIssue = (properties: Readonly<Record<string, unknown>>) =>
  properties.action === 'MOVE' && !properties.moveDirectory
    ? [{ severity: 'error' as const, path: 'moveDirectory', message: 'must be given with "action: MOVE"' }]
    : [];

interface Action {
  readonly action: 'MOVE' | 'DELETE' | 'NONE';
  readonly moveDirectory?: string | undefined;
}

/** Moves or deletes an object that was downloaded. */
export async function disposeOf(
  google: Google,
  blob: Blob,
  { action, moveDirectory }: Action,
): Promise<void> {
  if (action === 'NONE') return;
  if (action === 'MOVE') {
    if (!moveDirectory)
      throw new TaskFailed('"moveDirectory" must be given with "action: MOVE".', { retry: false });
    const { bucket, name: folder } = parsePlace(moveDirectory, 'moveDirectory');
    const name = `${folder === '' ? '' : `${folder.replace(/\/+$/, '')}/`}${blob.name.split('/').at(-1)}`;
    await copyObject(google, blob, { bucket, name });
  }
  await deleteObject(google, blob);
}
