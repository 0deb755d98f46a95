import { listOf, someValue, type TaskContext } from '@millrace/plugin-kit';
import { openRecords } from './recordFiles.ts';

export const inputsProperty = () =>
  listOf(someValue(), { min: 1 }).describe(
    'The inputs, joined by position. Each is the URI of a file of rows, a list of maps, one map, or the JSON of either.',
  );

/** Reads the inputs in parallel: the record of each at the same position. An ended input yields undefined. */
export function openLockStep(
  context: TaskContext,
  inputs: readonly unknown[],
): { isFile: boolean; rows: AsyncGenerator<unknown[]> } {
  const sources = inputs.map((input) => openRecords(context, input));
  async function* rows(): AsyncGenerator<unknown[]> {
    const iterators = sources.map(({ records }) => records[Symbol.asyncIterator]());
    try {
      for (;;) {
        const next = await Promise.all(iterators.map((iterator) => iterator.next()));
        if (next.every(({ done }) => done)) return;
        yield next.map(({ done, value }) => (done ? undefined : value));
      }
    } finally {
      await Promise.all(iterators.map((iterator) => iterator.return?.()));
    }
  }
  return { isFile: sources.some(({ isFile }) => isFile), rows: rows() };
}
