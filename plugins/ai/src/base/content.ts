import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import { choice, isStorageUri, listOf, part, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import type { z } from 'zod';

export const contentBlock = () =>
  part({
    type: choice(['TEXT', 'IMAGE', 'PDF']).describe('Text, an image or a PDF.'),
    text: text().optional().describe('The text.'),
    uri: text().optional().describe('The file: a URI of internal storage, or an address of the web.'),
  });

export const contentBlocks = () =>
  listOf(contentBlock()).optional().describe('Texts, images and PDFs, for models that can read them.');

export type ContentBlock = z.infer<ReturnType<typeof contentBlock>>;

const maxBytes = 32 * 1024 * 1024;

/** A block as a part of a message. Files are read here, so that no service needs to reach internal storage. */
export async function toMessagePart(
  context: TaskContext,
  block: ContentBlock,
): Promise<LanguageModelV3TextPart | LanguageModelV3FilePart> {
  if (block.type === 'TEXT') return { type: 'text', text: block.text ?? '' };
  const { uri } = block;
  if (uri === undefined)
    throw new TaskFailed(`A content block of type ${block.type} must have a "uri".`, { retry: false });
  const data = await readBytes(context, uri);
  return { type: 'file', data, mediaType: block.type === 'PDF' ? 'application/pdf' : imageType(data) };
}

export async function readBytes(context: TaskContext, uri: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await open(context, uri)) {
    size += chunk.length;
    if (size > maxBytes)
      throw new TaskFailed(`"${uri}" is larger than 32 MB, too large to be part of a message.`, {
        retry: false,
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function open(context: TaskContext, uri: string): Promise<AsyncIterable<Uint8Array>> {
  if (isStorageUri(uri)) return context.files.read(uri);
  const { status, body } = await context.fetch({ url: uri });
  if (status >= 300) throw new TaskFailed(`${uri} responded with status ${status}.`);
  return body;
}

/** Detects the type of an image by its first bytes, because stored files may have no extension. */
export function imageType(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  throw new TaskFailed('The image is neither PNG, JPEG, GIF nor WebP.', { retry: false });
}
