import { TaskFailed } from '@millrace/plugin-kit';
import { hmac } from '../client/sharedKey.ts';
import { encodePath, type Storage } from '../client/storage.ts';
import type { Place } from './blobs.ts';

export const blobPermissions = [
  'READ',
  'ADD',
  'CREATE',
  'WRITE',
  'DELETE',
  'DELETE_VERSION',
  'TAGS',
  'LIST',
  'MOVE',
  'EXECUTE',
  'FILTER',
  'IMMUTABILITY_POLICY',
] as const;

export const filePermissions = [
  'READ',
  'ADD',
  'CREATE',
  'WRITE',
  'DELETE',
  'LIST',
  'MOVE',
  'EXECUTE',
  'MANAGE_OWNERSHIP',
  'MANAGE_ACCESS_CONTROL',
] as const;

/** In the order that the signature wants. */
const letters: readonly (readonly [string, string])[] = [
  ['READ', 'r'],
  ['ADD', 'a'],
  ['CREATE', 'c'],
  ['WRITE', 'w'],
  ['DELETE', 'd'],
  ['DELETE_VERSION', 'x'],
  ['LIST', 'l'],
  ['TAGS', 't'],
  ['FILTER', 'f'],
  ['MOVE', 'm'],
  ['EXECUTE', 'e'],
  ['MANAGE_OWNERSHIP', 'o'],
  ['MANAGE_ACCESS_CONTROL', 'p'],
  ['IMMUTABILITY_POLICY', 'i'],
];

const version = '2020-12-06';

/** The address of a blob, a file or (without a name) a container with a service signature. */
export function signBlob(
  storage: Storage,
  { container, name }: Pick<Place, 'container'> & Partial<Place>,
  permissions: readonly string[],
  expiresAt: Date,
): string {
  const { sharedKey } = storage;
  if (!sharedKey)
    throw new TaskFailed(
      'A signature needs the key of the account: "connectionString" or "sharedKeyAccountAccessKey".',
      {
        retry: false,
      },
    );
  const sp = letters
    .filter(([word]) => permissions.includes(word))
    .map(([, letter]) => letter)
    .join('');
  const se = expiresAt.toISOString().replace(/\.\d+Z$/, 'Z');
  const names = name === undefined ? [container] : [container, name];
  const sr = name === undefined ? 'c' : 'b';
  const resource = ['', 'blob', sharedKey.account, ...names].join('/');
  // Start, policy, address range, protocol, snapshot, encryption scope and response headers stay empty.
  const text = [sp, '', se, resource, '', '', '', version, sr, '', '', '', '', '', '', ''].join('\n');
  const query = new URLSearchParams({ sv: version, sr, sp, se, sig: hmac(sharedKey.key, text) });
  return `${storage.url(encodePath(...names))}?${query}`;
}
