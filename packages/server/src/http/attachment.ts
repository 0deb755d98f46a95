import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Sends user content as a download. A browser must never show it as a page of ours, so it has a neutral type,
 * is protected from sniffing, and gets an empty sandbox.
 */
export function sendAttachment(
  reply: FastifyReply,
  fileName: string,
  content: Readable | string,
  { type = 'application/octet-stream', sizeBytes }: { type?: string; sizeBytes?: number } = {},
): void {
  reply
    .header('content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('content-disposition', dispositionOf(fileName))
    .type(type);
  if (sizeBytes !== undefined) reply.header('content-length', sizeBytes);
  void reply.send(content);
}

/** A plain name for old clients and the real one in UTF-8; neither can end the header early. */
function dispositionOf(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  const encoded = encodeURIComponent(fileName.replace(/\p{Cs}/gu, '_')).replace(/['()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
