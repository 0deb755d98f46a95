import type { Host } from '@millrace/engine';
import { isPublicHoliday } from '@millrace/plugins';
import { isBlobUri } from '@millrace/store';
import { type InternalStorage, readText } from './files/internalStorage.ts';
import type { NamespaceFiles } from './files/namespaceFiles.ts';
import type { KeyValues } from './kv/keyValues.ts';
import type { Secrets } from './secrets/environmentSecrets.ts';

export interface HostParts {
  readonly secrets: Secrets;
  readonly files: InternalStorage;
  readonly namespaceFiles: NamespaceFiles;
  readonly keyValues: KeyValues;
  readonly clock: () => number;
  readonly newId: () => string;
}

/** Makes hosts for expressions of a namespace; `mask` is told every text that came out of a secret. */
export type CreateHost = (namespace: string, mask?: (text: string) => void) => Host;

/** A text in an expression may not be longer; the language stops earlier, but the file must not be read first. */
const maxTextBytes = 64 * 1_048_576;

/** What expressions reach outside of their variables, wherever they are rendered. */
export function createHosts({
  secrets,
  files,
  namespaceFiles,
  keyValues,
  clock,
  newId,
}: HostParts): CreateHost {
  const base: Host = {
    now: clock,
    random: Math.random,
    id: newId,
    secret: (key) => secrets.find(key),
    isPublicHoliday,
  };
  return (own, mask) => {
    /** A path is a file of a namespace unless it is an address of internal storage. */
    const sizeOf = (path: string, namespace = own) =>
      isBlobUri(path) ? files.sizeOf(path) : namespaceFiles.sizeOf(namespace, path);
    return {
      ...base,
      ...(mask ? { mask } : {}),
      kv: async (key, namespace) =>
        (await keyValues.find(key, namespace ?? own, namespace === undefined))?.value,
      read: async (path, namespace = own) =>
        readText(
          await (isBlobUri(path) ? files.read(path) : namespaceFiles.read(namespace, path)),
          maxTextBytes,
        ),
      fileSize: async (path, namespace) => {
        const size = await sizeOf(path, namespace);
        if (size === undefined) throw new Error(`The file '${path}' does not exist.`);
        return size;
      },
      fileExists: async (path, namespace) => (await sizeOf(path, namespace)) !== undefined,
      isFileEmpty: async (path, namespace) => {
        const size = await sizeOf(path, namespace);
        if (size === undefined) throw new Error(`The file '${path}' does not exist.`);
        return size === 0;
      },
      fileURI: (path, namespace) => namespaceFiles.uriOf(namespace ?? own, path),
    };
  };
}
