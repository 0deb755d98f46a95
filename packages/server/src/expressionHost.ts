import { createServer } from 'node:net';
import type { Host, SubflowRequest } from '@millrace/expression';
import { askHttp } from '@millrace/plugin-core/askHttp';
import { isPublicHoliday } from '@millrace/plugin-core/holidays';
import { type OutboundClient, type PluginCatalogue, testCondition } from '@millrace/plugin-kit';
import { isBlobUri } from '@millrace/store';
import type { FileUser, GuardFiles } from './files/guardedFiles.ts';
import { readText } from './files/internalStorage.ts';
import { isNamespaceFileUri } from './files/namespaceFileAddress.ts';
import type { NamespaceFiles } from './files/namespaceFiles.ts';
import type { KeyValues } from './kv/keyValues.ts';
import type { Secrets } from './secrets/environmentSecrets.ts';

export type CallSubflow = (request: SubflowRequest, depth: number) => Promise<unknown>;

export interface HostParts {
  readonly catalogue: PluginCatalogue;
  readonly secrets: Secrets;
  readonly guardFiles: GuardFiles;
  readonly namespaceFiles: NamespaceFiles;
  readonly keyValues: KeyValues;
  readonly outbound: OutboundClient;
  readonly callSubflow: CallSubflow;
  readonly clock: () => number;
  readonly newId: () => string;
}

/** Whose expressions they are. */
export interface HostScope extends FileUser {
  /** Receives every text that came from a secret. */
  readonly mask?: (text: string) => void;
  /** Only for the inputs of a flow: the number of nested `subflow()` calls. */
  readonly subflowDepth?: number;
}
export type CreateHost = (scope: HostScope) => Host;

/** A text in an expression may not be longer; the language stops earlier, but the file must not be read first. */
const maxTextBytes = 64 * 1_048_576;

/** The services that expressions use besides their variables, wherever they are rendered. */
export function createHosts({
  catalogue,
  secrets,
  guardFiles,
  namespaceFiles,
  keyValues,
  outbound,
  callSubflow,
  clock,
  newId,
}: HostParts): CreateHost {
  const findSecret: NonNullable<Host['secret']> = (key) => secrets.find(key);
  const http: NonNullable<Host['http']> = (question) =>
    askHttp(question, (request) => outbound.send(request));
  // Written out, not put together from parts: every execution makes several.
  return (scope) => {
    const { namespace: own, mask, subflowDepth } = scope;
    const files = guardFiles(scope);
    /** A path is a file of a namespace unless it is an address of internal storage. */
    const sizeOf = (path: string, namespace = own) =>
      isAddress(path) ? files.sizeOf(path) : namespaceFiles.sizeOf(namespace, path);
    const host: Host = {
      now: clock,
      random: Math.random,
      id: newId,
      secret: findSecret,
      http,
      randomPort: findFreePort,
      isPublicHoliday,
      kv: async (key, namespace) => {
        keyValues.checkReach(own, namespace ?? own);
        return (await keyValues.find(key, namespace ?? own, namespace === undefined))?.value;
      },
      read: async (path, namespace = own) =>
        readText(
          await (isAddress(path) ? files.read(path) : namespaceFiles.read(namespace, path)),
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
      holds: (condition, about) => {
        const definition = catalogue.find(condition.type)?.definition;
        return definition?.kind === 'condition'
          ? testCondition(definition, condition, about, host)
          : undefined;
      },
    };
    if (mask) host.mask = mask;
    if (subflowDepth !== undefined) host.subflow = (request) => callSubflow(request, subflowDepth);
    return host;
  };
}

const isAddress = (path: string): boolean => isBlobUri(path) || isNamespaceFileUri(path);

/** A port that no process listens on at this moment. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
