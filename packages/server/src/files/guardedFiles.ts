import { AppError, type ExecutionRecord, type ExecutionTrigger } from '@millrace/contract';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import { fromBlobUri, type Store } from '@millrace/store';
import type { InternalStorage } from './internalStorage.ts';
import { namespaceFileAddress } from './namespaceFileAddress.ts';

/** On whose behalf files are used: a flow of a namespace, and the execution that is running or that is looked at. */
export interface FileUser {
  readonly namespace: string;
  readonly execution?: Pick<ExecutionRecord, 'id'> & { readonly trigger?: ExecutionTrigger | undefined };
}

interface Parts {
  readonly files: InternalStorage;
  readonly store: Pick<Store, 'getExecutionRecord'>;
  readonly catalogue: PluginCatalogue;
  /** Namespaces whose files every flow may use; `*` is all of them. */
  readonly sharedNamespaces: readonly string[];
}

type Files = Pick<InternalStorage, 'read' | 'sizeOf' | 'delete'>;
export type GuardFiles = (user: FileUser) => Files;

/** The maximum depth of the chain of parent executions that is followed. */
const maxDepth = 60;

/**
 * The only access from flows to internal storage. A flow may use the files of its own execution; of parent
 * and child namespaces; of executions that started its own or share a starter with it (subflows, ForEachItem,
 * flow triggers); of namespaces that the configuration shares; and namespace files.
 */
export function createFileGuard({ files, store, catalogue, sharedNamespaces }: Parts): GuardFiles {
  /** The id of the parent execution; only the engine writes it for these triggers. */
  const starterOf = (trigger: ExecutionTrigger | undefined): string | undefined => {
    const definition = trigger && catalogue.find(trigger.type)?.definition;
    const isStarted =
      definition?.kind === 'task' || (definition?.kind === 'trigger' && definition.role === 'flow');
    const id = isStarted ? trigger?.variables?.executionId : undefined;
    return typeof id === 'string' ? id : undefined;
  };
  /** The execution and its ancestors, the nearest first. */
  const lineOf = async (id: string, trigger: ExecutionTrigger | undefined): Promise<string[]> => {
    const line = [id];
    for (let next = starterOf(trigger); next !== undefined && line.length < maxDepth; ) {
      line.push(next);
      next = starterOf((await store.getExecutionRecord(next))?.trigger);
    }
    return line;
  };
  const isFamily = async (user: NonNullable<FileUser['execution']>, owner: string): Promise<boolean> => {
    if (owner === user.id || owner === starterOf(user.trigger)) return true;
    const execution = await store.getExecutionRecord(owner);
    if (!execution) return false;
    const own = new Set(await lineOf(user.id, user.trigger));
    return (await lineOf(owner, execution.trigger)).some((id) => own.has(id));
  };

  return (user) => {
    /** Owners that were found to be family; files of one come in hundreds. */
    const family = new Set<string>();
    /** Returns the address in internal storage. */
    const check = async (written: string): Promise<string> => {
      const uri = namespaceFileAddress(written, user.namespace) ?? written;
      const place = placeOf(fromBlobUri(uri));
      if (place === undefined) throw refuse(uri, 'it belongs to no execution and to no namespace');
      const { namespace, executionId, isOfNamespace } = place;
      if (isOfNamespace || isInLine(namespace, user.namespace)) return uri;
      if (sharedNamespaces.some((shared) => shared === '*' || isBelow(namespace, shared))) return uri;
      const { execution } = user;
      if (executionId !== undefined && execution) {
        if (family.has(executionId)) return uri;
        if (await isFamily(execution, executionId)) {
          family.add(executionId);
          return uri;
        }
      }
      throw refuse(
        uri,
        `it belongs to the namespace "${namespace}", and this flow is of the namespace "${user.namespace}"`,
      );
    };
    return {
      read: async (uri, range) => files.read(await check(uri), range),
      sizeOf: async (uri) => files.sizeOf(await check(uri)),
      delete: async (uri) => files.delete(await check(uri)),
    };
  };
}

interface Place {
  readonly namespace: string;
  readonly executionId?: string;
  /** A file that the namespace keeps for flows. */
  readonly isOfNamespace: boolean;
}

/** The owner of a file, from its path; undefined for the server's internal files. */
function placeOf(key: string): Place | undefined {
  const run = /^(.+?)\/([^/]+)\/executions\/([a-zA-Z0-9]+)(?:\/|$)/.exec(key);
  const ofNamespace = /^(.+?)\/_files(?:\/|$)/.exec(key)?.[1];
  // Whichever comes first: a file may be called like the folder of the other kind.
  if (ofNamespace !== undefined && !(run && `${run[1]}/${run[2]}`.length <= ofNamespace.length))
    return { namespace: dotted(ofNamespace), isOfNamespace: true };
  if (run?.[1] === undefined || run[3] === undefined) return undefined;
  return { namespace: dotted(run[1]), executionId: run[3], isOfNamespace: false };
}

const dotted = (path: string): string => path.replaceAll('/', '.');
const isBelow = (namespace: string, parent: string): boolean => `${namespace}.`.startsWith(`${parent}.`);
const isInLine = (one: string, other: string): boolean => isBelow(one, other) || isBelow(other, one);

const refuse = (uri: string, reason: string): AppError =>
  new AppError('illegal-argument', `Unable to read the file "${uri}": ${reason}.`);
