import { createReadStream } from 'node:fs';
import { AppError } from '@millrace/contract';
import type { FastifyRequest } from 'fastify';
import { readZip } from '../archives/readZip.ts';
import { type ReceivedFile, receiveFile } from '../archives/receiveFile.ts';
import { isFlowPath, withNamespace } from '../files/flowFolder.ts';
import { readText } from '../files/internalStorage.ts';
import type { NamespaceFiles } from '../files/namespaceFiles.ts';
import { importFlow, type SaveParts } from './saveFlow.ts';

type Parts = SaveParts & { readonly namespaceFiles: NamespaceFiles; readonly workFolder: string };

const limits = { maxEntries: 10_000, maxBytes: 10 * 1_073_741_824 };
const maxSourceBytes = 10 * 1_048_576;

/** Takes an uploaded file into a namespace; an archive is unpacked at its root, a file for `/_flows` becomes a flow. */
export async function receiveNamespaceFile(
  request: FastifyRequest,
  namespace: string,
  path: string,
  parts: Parts,
): Promise<void> {
  await receiveFile(request, { field: 'fileContent', workFolder: parts.workFolder }, (file) =>
    file.name.toLowerCase().endsWith('.zip')
      ? unpack(file, namespace, parts)
      : store(namespace, path, createReadStream(file.path), parts),
  );
}

/** Checks every path before it writes the first file, so that an archive is never partially extracted. */
async function unpack({ path }: ReceivedFile, namespace: string, parts: Parts): Promise<void> {
  for await (const entry of readZip(path, limits)) isFlowPath(entry.path);
  for await (const entry of readZip(path, limits))
    await store(namespace, entry.path, await entry.open(), parts);
}

async function store(
  namespace: string,
  path: string,
  content: AsyncIterable<Uint8Array>,
  parts: Parts,
): Promise<void> {
  if (!isFlowPath(path)) return parts.namespaceFiles.write(namespace, path, content);
  const source = withNamespace(await readText(content, maxSourceBytes), namespace);
  try {
    await importFlow(source, parts);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `${path}: ${error.message}`, { cause: error, errors: error.errors });
  }
}
