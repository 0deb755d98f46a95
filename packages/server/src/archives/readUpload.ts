import { readFile } from 'node:fs/promises';
import { AppError } from '@millrace/contract';
import { splitSources } from '@millrace/engine';
import type { FastifyRequest } from 'fastify';
import { readZip } from './readZip.ts';
import { type ReceivedFile, receiveFile } from './receiveFile.ts';

export interface Document {
  /** Which one it is: its place in a text from 0 on, or its path in an archive. */
  readonly name: string;
  readonly text: string;
}

/** A source may be this long; see the limits of the YAML reader. */
const maxTextBytes = 10 * 1_048_576;
const limits = { maxEntries: 10_000, maxBytes: 200 * 1_048_576 };

/** The YAML documents of an uploaded file: of one text, or of every text in an archive. */
export function readUpload(request: FastifyRequest, workFolder: string): Promise<Document[]> {
  return receiveFile(request, { field: 'fileUpload', workFolder }, (file) => {
    const extension = /\.([^.]*)$/.exec(file.name)?.[1]?.toLowerCase();
    if (extension === 'zip') return readArchive(file);
    if (extension === 'yml' || extension === 'yaml') return readDocuments(file);
    throw new AppError(
      'illegal-argument',
      `"${file.name.slice(0, 100)}" cannot be imported: expected a .yml, .yaml or .zip file`,
    );
  });
}

async function readDocuments({ path, sizeBytes }: ReceivedFile): Promise<Document[]> {
  if (sizeBytes > maxTextBytes)
    throw new AppError('illegal-argument', `the file is larger than ${maxTextBytes} bytes`);
  const text = decode(await readFile(path));
  return splitSources(text).map((document, index) => ({ name: String(index), text: document }));
}

async function readArchive({ path }: ReceivedFile): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const entry of readZip(path, limits)) {
    if (!/\.ya?ml$/i.test(entry.path)) continue;
    if (entry.sizeBytes > maxTextBytes)
      throw new AppError('illegal-argument', `"${entry.path}" is larger than ${maxTextBytes} bytes`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of await entry.open()) chunks.push(chunk);
    for (const text of splitSources(decode(Buffer.concat(chunks))))
      documents.push({ name: entry.path, text });
  }
  return documents;
}

const decode = (bytes: Buffer): string => new TextDecoder('utf-8').decode(bytes);
