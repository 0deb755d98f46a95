import { choice, TaskFailed, type TriggerContext, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import type { IteratorType, Position } from './kinesisShards.ts';

export const iteratorProperties = {
  streamName: text().describe('The name of the stream.'),
  iteratorType: choice([
    'AT_SEQUENCE_NUMBER',
    'AFTER_SEQUENCE_NUMBER',
    'TRIM_HORIZON',
    'LATEST',
    'AT_TIMESTAMP',
  ])
    .default('LATEST')
    .describe(
      'Where the reading begins: at the oldest record (`TRIM_HORIZON`), now (`LATEST`), or at `startingSequenceNumber`.',
    ),
  startingSequenceNumber: text()
    .optional()
    .describe('The sequence number, for iterators that need one; an ISO date for `AT_TIMESTAMP`.'),
};

export interface Start {
  readonly iteratorType: IteratorType;
  readonly startingSequenceNumber?: string | undefined;
}

export function startOf({ iteratorType, startingSequenceNumber }: Start): Position {
  if (iteratorType !== 'AT_TIMESTAMP') return { iteratorType, sequenceNumber: startingSequenceNumber };
  const timestamp = Date.parse(startingSequenceNumber ?? '');
  if (Number.isNaN(timestamp))
    throw new TaskFailed('"startingSequenceNumber" must be an ISO date for AT_TIMESTAMP.', { retry: false });
  return { iteratorType, timestamp };
}

/** Where the next evaluation continues. */
const Memory = z.object({
  positions: z.record(z.string(), z.string()),
  /** When the trigger began, for shards that had no record since. */
  since: z.number().optional(),
});
type Memory = z.infer<typeof Memory>;

/** The position where each shard continues; no record between two evaluations is skipped. */
export function continueFrom(memory: Memory, input: Start): (shardId: string) => Position {
  return (shardId) => {
    const sequenceNumber = memory.positions[shardId];
    if (sequenceNumber !== undefined) return { iteratorType: 'AFTER_SEQUENCE_NUMBER', sequenceNumber };
    if (input.iteratorType === 'LATEST' && memory.since !== undefined)
      return { iteratorType: 'AT_TIMESTAMP', timestamp: memory.since };
    return startOf(input);
  };
}

export const readMemory = ({ memory }: TriggerContext): Memory =>
  Memory.catch({ positions: {} }).parse(memory);
