import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { sendAttachment } from '../http/attachment.ts';

/** Streams a JSON list as a file, item by item, one per line. */
export function sendJsonList(reply: FastifyReply, fileName: string, items: AsyncIterable<unknown>): void {
  sendAttachment(reply, fileName, Readable.from(linesOf(items)), { type: 'application/json; charset=utf-8' });
}

async function* linesOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const item of items) {
    yield `${before}${JSON.stringify(item)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
