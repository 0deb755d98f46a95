import type { TaskContext } from '@millrace/plugin-kit';
import { nameOfUri, ownPrefix, writeInside } from '@millrace/plugin-kit';

const uris = /\b(?:(?:millrace|kestra):\/\/\/|nsfile:\/\/[\w.-]*\/)[^\s"'`;|&<>(){}$\\]+/g;

/** Fetches every stored file that the text names into the folder and replaces its URI with the local path. */
export async function fetchNamedFiles(
  context: Pick<TaskContext, 'files'>,
  folder: string,
  text: string,
): Promise<string> {
  const paths = new Map<string, string>();
  for (const [uri] of text.matchAll(uris)) {
    if (paths.has(uri)) continue;
    const name = `${ownPrefix}files/${paths.size}/${nameOfUri(uri)}`;
    paths.set(uri, await writeInside(folder, name, await context.files.read(uri)));
  }
  return text.replace(uris, (uri) => paths.get(uri) ?? uri);
}
