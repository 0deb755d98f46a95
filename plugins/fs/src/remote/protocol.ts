import type { TaskContext } from '@millrace/plugin-kit';
import { TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import type { RemoteFile, RemoteFiles } from './remoteFiles.ts';

/** A file server protocol: its description, its properties, and how to connect. */
export interface Protocol {
  /** The part of the type names and the scheme of addresses: `fs.<name>.Upload`. */
  readonly name: string;
  /** As in "on an SFTP server". */
  readonly title: string;
  readonly properties: z.ZodRawShape;
  /** Whether `Upload` overwrites an existing file by default. */
  readonly overwrites: boolean;
  /** Lines of YAML that an example needs to connect. */
  readonly example: readonly string[];
  /** A folder for examples. */
  readonly exampleFolder: string;
  open(context: TaskContext, input: Connection): Promise<RemoteFiles>;
}

/** The properties of the protocol, as read; `open` narrows them with its own schema. */
export type Connection = Readonly<Record<string, unknown>>;

/** Connects, runs the work, and always closes the connection. */
export async function withFiles<T>(
  protocol: Protocol,
  context: TaskContext,
  input: Connection,
  work: (files: RemoteFiles) => Promise<T>,
): Promise<T> {
  for (const name of ['password', 'passphrase', 'proxyPassword']) {
    const secret = input[name];
    if (typeof secret === 'string' && secret !== '') context.masker.add(secret);
  }
  const files = await protocol.open(context, input);
  const stop = () => void files.close();
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    const result = await work(files);
    context.signal.throwIfAborted();
    return result;
  } catch (error) {
    context.signal.throwIfAborted();
    throw error;
  } finally {
    context.signal.removeEventListener('abort', stop);
    await files.close();
  }
}

/** The address of a file, without credentials. */
export const toUri = ({ name }: Protocol, input: Connection, path: string): string =>
  `${name}://${String(input.host)}${path.split('/').map(encodeURIComponent).join('/')}`;

export const fileOutput = z.object({
  path: z
    .string()
    .describe('The file: its address on the server, or in internal storage when it was downloaded.'),
  serverPath: z.string().describe('The path on the server.'),
  name: z.string().describe('The name of the file.'),
  fileType: z.enum(['FILE', 'FOLDER']).describe('What it is.'),
  symbolicLink: z.boolean().describe('Whether it is a link.'),
  size: z.number().describe('The size in bytes.'),
  userId: z.number().optional().describe('The owner, where the server tells.'),
  groupId: z.number().optional().describe('The group, where the server tells.'),
  permissions: z.number().optional().describe('The permissions, where the server tells.'),
  accessDate: z.string().optional().describe('When it was read last, where the server tells.'),
  updatedDate: z.string().optional().describe('When it was changed last.'),
});

export function toOutput(file: RemoteFile, path: string): z.infer<typeof fileOutput> {
  const { name, size, userId, groupId, permissions, accessedAt, modifiedAt } = file;
  return {
    path,
    serverPath: file.path,
    name,
    fileType: file.isFolder ? 'FOLDER' : 'FILE',
    symbolicLink: file.isLink,
    size,
    ...(userId !== undefined && { userId }),
    ...(groupId !== undefined && { groupId }),
    ...(permissions !== undefined && { permissions }),
    ...(accessedAt && { accessDate: accessedAt.toISOString() }),
    ...(modifiedAt && { updatedDate: modifiedAt.toISOString() }),
  };
}

export const missing = (path: string, protocol: Protocol): TaskFailed =>
  new TaskFailed(`There is no file "${path}" on the ${protocol.title}.`, { retry: false });
