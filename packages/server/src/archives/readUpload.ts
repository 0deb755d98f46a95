import { readFile } from 'node:fs/promises';
import { AppError } from '@millrace/contract';
import { splitSources } from '@millrace/engine';
import type { FastifyRequest } from 'fastify';
import { readZip } from './readZip.ts';
import { type ReceivedFile, receiveFile } from './receiveFile.ts';

export interface Document {
  /** The index in a text, from 0 on, or the path in an archive. */
  readonly name: string;
  readonly text: string;
  /** The line of the file that the text begins on. */
  readonly line: number;
}

/** The maximum length of a source; see the limits of the YAML reader. */
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
  return withLines(text).map((document, index) => ({ name: String(index), ...document }));
}

/** The documents of a text and the lines that they begin on. */
function withLines(whole: string): Omit<Document, 'name'>[] {
  let [line, offset] = [1, 0];
  return splitSources(whole).map((text) => {
    const start = whole.indexOf(text, offset);
    line += whole.slice(offset, start).split('\n').length - 1;
    offset = start;
    return { text, line };
  });
}

async function readArchive({ path }: ReceivedFile): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const entry of readZip(path, limits)) {
    if (!/\.ya?ml$/i.test(entry.path)) continue;
    if (entry.sizeBytes > maxTextBytes)
      throw new AppError('illegal-argument', `"${entry.path}" is larger than ${maxTextBytes} bytes`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of await entry.open()) chunks.push(chunk);
    for (const document of withLines(decode(Buffer.concat(chunks))))
      documents.push({ name: entry.path, ...document });
  }
  return documents;
}

const decode = (bytes: Buffer): string => new TextDecoder('utf-8').decode(bytes);
