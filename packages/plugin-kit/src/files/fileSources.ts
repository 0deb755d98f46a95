import { TaskFailed } from '../failure.ts';
import { isStorageUri, nameOfUri } from './storageUri.ts';

/** A file in internal storage and the name it is to have elsewhere. */
export interface FileSource {
  readonly name: string;
  readonly uri: string;
}

/** The files that `from` of an upload task names: a URI, a list of them, or a map from name to URI. */
export function readFileSources(from: unknown): FileSource[] {
  if (typeof from === 'string') return readText(from);
  if (Array.isArray(from)) return from.flatMap(readFileSources);
  if (typeof from === 'object' && from !== null) {
    return Object.entries(from).map(([name, uri]) => ({ name: innerName(name), uri: checkUri(String(uri)) }));
  }
  throw new TaskFailed('"from" must be a URI, a list of URIs or a map from name to URI.', { retry: false });
}

function readText(text: string): FileSource[] {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) return readFileSources(JSON.parse(trimmed));
  const uri = checkUri(trimmed);
  return [{ name: nameOfUri(uri), uri }];
}

const innerName = (name: string): string =>
  name
    .split('/')
    .filter((step) => step !== '' && step !== '.' && step !== '..')
    .join('/');

function checkUri(uri: string): string {
  if (isStorageUri(uri)) return uri;
  throw new TaskFailed(`"${uri}" is not the URI of a file in internal storage.`, { retry: false });
}
