import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FileAttributes } from '../file.ts';

const OfNamespace = z.object({ namespace: z.string() });
const AtPath = z.looseObject({ path: z.string().optional() });

export const readNamespaceFile = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/files',
  summary: 'Downloads a file of a namespace',
  params: OfNamespace,
  query: AtPath,
  replyKind: 'file',
});

/** The part is called `fileContent`. A file whose name ends in `.zip` is unpacked at the root. */
export const writeNamespaceFile = endpoint({
  method: 'POST',
  path: '/namespaces/{namespace}/files',
  summary: 'Writes a file of a namespace, or unpacks an archive',
  params: OfNamespace,
  query: AtPath,
  bodyKind: 'multipart',
  status: 200,
});

export const moveNamespaceFile = endpoint({
  method: 'PUT',
  path: '/namespaces/{namespace}/files',
  summary: 'Moves or renames a file or a folder',
  params: OfNamespace,
  query: z.looseObject({ from: z.string().optional(), to: z.string().optional() }),
  status: 200,
});

export const deleteNamespaceFile = endpoint({
  method: 'DELETE',
  path: '/namespaces/{namespace}/files',
  summary: 'Deletes a file or a whole folder; `/` deletes all files of the namespace',
  params: OfNamespace,
  query: AtPath,
  status: 200,
});

export const listNamespaceFolder = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/files/directory',
  summary: 'Lists one level of a folder',
  params: OfNamespace,
  query: AtPath,
  reply: z.array(FileAttributes),
});

export const createNamespaceFolder = endpoint({
  method: 'POST',
  path: '/namespaces/{namespace}/files/directory',
  summary: 'Makes a folder',
  params: OfNamespace,
  query: AtPath,
  status: 200,
});

export const searchNamespaceFiles = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/files/search',
  summary: 'Lists the full paths of files that contain a text',
  params: OfNamespace,
  query: z.looseObject({ q: z.string().optional() }),
  reply: z.array(z.string()),
});

export const getNamespaceFileStats = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/files/stats',
  summary: 'Tells size and dates of a file or folder',
  params: OfNamespace,
  query: AtPath,
  reply: FileAttributes,
});

export const listNamespaceFileRevisions = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/files/revisions',
  summary: 'Lists the revisions of a file',
  params: OfNamespace,
  query: AtPath,
  reply: z.array(z.object({ revision: z.number().int() })),
});

/** `path` may be repeated: only these files and folders, without the flows. */
export const exportNamespaceFiles = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/files/export',
  summary: 'Downloads all files and flows of a namespace, or some files and folders, as a zip archive',
  params: OfNamespace,
  query: z.looseObject({
    path: z.preprocess(
      (v) => (v === undefined || Array.isArray(v) ? v : [v]),
      z.array(z.string()).optional(),
    ),
  }),
  replyKind: 'file',
});
