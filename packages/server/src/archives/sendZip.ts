import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ZipFile } from 'yazl';
import { sendAttachment } from '../http/attachment.ts';

export interface ZipEntry {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly content: string | (() => Promise<AsyncIterable<Uint8Array>>);
}

/** Streams an archive as the response: files are opened one after the other. */
export function sendZip(reply: FastifyReply, fileName: string, entries: readonly ZipEntry[]): void {
  const zip = new ZipFile();
  // `as`: declared as the interface, made as the class.
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { path, content } of entries) {
    if (typeof content === 'string') zip.addBuffer(Buffer.from(content), path);
    else {
      zip.addReadStreamLazy(path, (take) => {
        content().then(
          (bytes) => {
            const stream = Readable.from(bytes, { objectMode: false });
            stream.on('error', (error) => output.destroy(error));
            take(null, stream);
          },
          (error: Error) => output.destroy(error),
        );
      });
    }
  }
  zip.end();
  sendAttachment(reply, fileName, output);
}
