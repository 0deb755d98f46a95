import { z } from 'zod';
import { parentOf } from '../remote/remoteFiles.ts';
import type { LocalFile } from './localFiles.ts';

export const localFileOutput = z.object({
  uri: z
    .string()
    .describe('The file: in internal storage when it was downloaded, otherwise `file://…` on the worker.'),
  localPath: z.string().describe('The path on the worker.'),
  name: z.string().describe('The name of the file.'),
  parent: z.string().describe('The folder of the file.'),
  size: z.number().describe('The size in bytes.'),
  createdDate: z.string().describe('When it was created.'),
  modifiedDate: z.string().describe('When it was changed last.'),
  accessedDate: z.string().describe('When it was read last.'),
  isDirectory: z.boolean().describe('Whether it is a folder.'),
});

export const toLocalOutput = (file: LocalFile, uri: string): z.infer<typeof localFileOutput> => ({
  uri,
  localPath: file.path,
  name: file.name,
  parent: parentOf(file.path),
  size: file.size,
  createdDate: file.createdAt.toISOString(),
  modifiedDate: file.modifiedAt.toISOString(),
  accessedDate: file.accessedAt.toISOString(),
  isDirectory: file.isFolder,
});
