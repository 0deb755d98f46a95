import { AppError, type FilePreview } from '@millrace/contract';
import { type Host, renderTyped } from '@millrace/expression';
import { readCsv } from './csvRows.ts';

/** Enough for a screen: two million characters. */
const maxTextBytes = 2 * 1_048_576;
/** Images and documents can only be shown as a whole. */
const maxWholeBytes = 10 * 1_048_576;

export interface PreviewRequest {
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly maxRows: number;
  readonly encoding: string;
  readonly host: Host;
  /** The first `bytes` bytes of the file. */
  read(bytes: number): Promise<AsyncIterable<Uint8Array>>;
}

const typesByExtension: Readonly<Record<string, FilePreview['type']>> = {
  jpg: 'IMAGE',
  jpeg: 'IMAGE',
  png: 'IMAGE',
  svg: 'IMAGE',
  gif: 'IMAGE',
  bmp: 'IMAGE',
  webp: 'IMAGE',
  pdf: 'PDF',
  md: 'MARKDOWN',
  ion: 'LIST',
  jsonl: 'LIST',
  ndjson: 'LIST',
  csv: 'LIST',
};

/** The beginning of a file, in the form its kind is shown in. Only that beginning is ever read. */
export async function previewFile(request: PreviewRequest): Promise<FilePreview> {
  const extension = /\.([^./]+)$/.exec(request.fileName)?.[1]?.toLowerCase() ?? '';
  const type = typesByExtension[extension] ?? 'TEXT';
  const frame = { extension, type, maxLine: request.maxRows };
  if (type === 'IMAGE' || type === 'PDF') {
    if (request.sizeBytes > maxWholeBytes) return { ...frame, content: '', truncated: true };
    const bytes = await collect(await request.read(maxWholeBytes));
    return { ...frame, content: bytes.toString('base64'), truncated: false };
  }
  const { text, isCut } = await readBeginning(request);
  if (type === 'LIST') {
    const rows = await readRows(text, extension, isCut, request.host);
    return {
      ...frame,
      content: rows.slice(0, request.maxRows),
      truncated: isCut || rows.length > request.maxRows,
    };
  }
  const lines = text.split('\n');
  // The line break at the end of the last line begins no other one.
  if (lines.at(-1) === '') lines.pop();
  const shown = lines.slice(0, request.maxRows).join('\n');
  return { ...frame, content: shown, truncated: isCut || lines.length > request.maxRows };
}

async function readBeginning({ sizeBytes, encoding, read }: PreviewRequest) {
  const decoder = decoderFor(encoding);
  const bytes = await collect(await read(maxTextBytes));
  const isCut = sizeBytes > maxTextBytes;
  // A character that was cut in two is left out.
  return { text: decoder.decode(bytes, { stream: isCut }), isCut };
}

function decoderFor(encoding: string) {
  try {
    return new TextDecoder(encoding);
  } catch (cause) {
    throw new AppError('illegal-argument', `"${encoding.slice(0, 50)}" is not a known encoding`, { cause });
  }
}

async function readRows(text: string, extension: string, isCut: boolean, host: Host): Promise<unknown[]> {
  // Text after the last line break of a truncated file is a partial row.
  const whole = isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  if (extension === 'csv') return readCsv(whole);
  const rows = whole
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readRow);
  // Rows that Millrace writes are JSON, which is Ion too and quicker to read.
  if (extension !== 'ion' || rows.every(({ isJson }) => isJson)) return rows.map(({ value }) => value);
  try {
    const values = await renderTyped('{{ fromIon(text, true) }}', { text: whole }, host);
    if (Array.isArray(values)) return values;
  } catch {
    // Not valid Ion either: keeps the rows that could be read.
  }
  return rows.map(({ value }) => value);
}

function readRow(line: string): { readonly value: unknown; readonly isJson: boolean } {
  try {
    return { value: JSON.parse(line), isJson: true };
  } catch {
    return { value: line, isJson: false };
  }
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
