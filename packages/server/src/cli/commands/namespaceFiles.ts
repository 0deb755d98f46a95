import { createWriteStream, openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, posix, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { namespaceFiles } from '@millrace/contract';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { printJson, printTable } from '../client/print.ts';
import { startProgress } from '../client/progress.ts';
import { tell } from '../client/tell.ts';
import { CommandFailure, defineCommand, exitCodes } from '../command.ts';

export const filesUpdate = defineCommand({
  name: 'namespace files update',
  summary: 'Upload a file or a folder to the files of a namespace',
  usage: 'NAMESPACE PATH [TO]',
  positionals: { min: 2, max: 3 },
  options: clientOptions,
  details: 'TO is the folder in the namespace that the files go to (default /).',
  run: async ({ values, positionals: [namespace = '', from = '', to = '/'] }, surroundings) => {
    const client = connect(values, surroundings);
    const files = await listFiles(from);
    const progress = startProgress(surroundings, files.length);
    for (const { path, name } of files) {
      const form = new FormData();
      // The server would unpack a file named `*.zip`; this command uploads it unchanged.
      form.set('fileContent', await openAsBlob(path), /\.zip$/i.test(path) ? 'archive' : basename(path));
      const target = posix.join('/', to, name);
      await client.call(namespaceFiles.writeNamespaceFile, {
        params: { namespace },
        query: { path: target },
        body: form,
      });
      progress.step(target);
    }
    progress.end();
    const line = `${files.length} file${files.length === 1 ? '' : 's'} uploaded to ${namespace}`;
    tell(values, surroundings, line, { uploaded: files.map(({ name }) => posix.join('/', to, name)) });
    return exitCodes.done;
  },
});

export const filesList = defineCommand({
  name: 'namespace files list',
  summary: 'List a folder of a namespace',
  usage: 'NAMESPACE [PATH]',
  positionals: { min: 1, max: 2 },
  options: clientOptions,
  run: async ({ values, positionals: [namespace = '', path = '/'] }, surroundings) => {
    const entries = await connect(values, surroundings).call(namespaceFiles.listNamespaceFolder, {
      params: { namespace },
      query: { path },
    });
    if (isJson(values, surroundings)) printJson(surroundings.out, entries);
    else {
      const rows = entries.map((entry) => [
        entry.type === 'Directory' ? `${entry.fileName}/` : entry.fileName,
        String(entry.size),
        new Date(entry.lastModifiedTime).toISOString(),
      ]);
      printTable(surroundings.out, ['NAME', 'BYTES', 'CHANGED'], rows);
    }
    return exitCodes.done;
  },
});

export const filesGet = defineCommand({
  name: 'namespace files get',
  summary: 'Download a file of a namespace, to standard output or into a file',
  usage: 'NAMESPACE PATH [FILE]',
  positionals: { min: 2, max: 3 },
  options: clientOptions,
  run: async ({ values, positionals: [namespace = '', path = '', file] }, surroundings) => {
    const response = await connect(values, surroundings).send(namespaceFiles.readNamespaceFile, {
      params: { namespace },
      query: { path },
    });
    if (file === undefined) surroundings.out.write(await response.text());
    else if (response.body) {
      // `as`: the same stream under the name that Node's types have for it.
      await pipeline(Readable.fromWeb(response.body as never), createWriteStream(file));
    }
    return exitCodes.done;
  },
});

export const filesDelete = defineCommand({
  name: 'namespace files delete',
  summary: 'Delete a file or a folder of a namespace',
  usage: 'NAMESPACE PATH',
  positionals: { min: 2, max: 2 },
  options: clientOptions,
  run: async ({ values, positionals: [namespace = '', path = ''] }, surroundings) => {
    await connect(values, surroundings).call(namespaceFiles.deleteNamespaceFile, {
      params: { namespace },
      query: { path },
    });
    tell(values, surroundings, `deleted  ${namespace} ${path}`, { deleted: { namespace, path } });
    return exitCodes.done;
  },
});

async function listFiles(from: string): Promise<{ path: string; name: string }[]> {
  const about = await stat(from).catch((cause: unknown) => {
    throw new CommandFailure(`"${from}" cannot be read.`, { cause });
  });
  if (!about.isDirectory()) return [{ path: from, name: basename(from) }];
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path, name: relative(from, path).split(sep).join('/') }));
}
