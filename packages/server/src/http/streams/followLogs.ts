import type { LogLevel } from '@millrace/contract';
import type { FastifyReply } from 'fastify';
import type { Product } from '../../product.ts';
import { presentLog } from '../presentLog.ts';
import { openEventStream } from './eventStream.ts';

const pageSize = 1_000;

/** Streams stored log entries and then new ones, each once: the last id sent says where to read on. */
export async function followLogs(
  selection: { readonly executionId: string; readonly minLevel?: LogLevel },
  reply: FastifyReply,
  { store, log }: Pick<Product, 'store' | 'log'>,
): Promise<void> {
  const stream = openEventStream(reply);
  stream.send('start', {});
  let lastId = 0;
  let isReading = false;
  let hasMore = true;
  const readOn = async () => {
    hasMore = true;
    if (isReading) return;
    isReading = true;
    while (hasMore && stream.isOpen) {
      hasMore = false;
      const entries = await store.listLogs({ ...selection, afterId: lastId, limit: pageSize });
      for (const entry of entries) {
        if (!stream.isOpen) return;
        stream.send('progress', presentLog(entry));
        lastId = entry.id;
        await stream.whenRead();
      }
      if (entries.length === pageSize) hasMore = true;
    }
    isReading = false;
  };
  const read = () => {
    readOn().catch((error: unknown) => {
      log.error('A log stream could not be read on.', { executionId: selection.executionId, error });
      stream.end();
    });
  };
  const stopListening = store.onChange(({ logExecutionIds }) => {
    if (logExecutionIds.includes(selection.executionId)) read();
  });
  stream.onClose(stopListening);
  read();
}
