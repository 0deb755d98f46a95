import { type TaskContext, toRow } from '@millrace/plugin-kit';

/** Stores rows as a file that tasks and previews can read. */
export function writeRows(
  context: Pick<TaskContext, 'files'>,
  name: string,
  rows: readonly object[],
): Promise<string> {
  return context.files.put(
    name,
    (async function* () {
      for (const row of rows) yield toRow(row);
    })(),
  );
}
