import { AppError } from '@millrace/contract';
import type { Document } from '../archives/readUpload.ts';
import { importFlow, type SaveParts } from './saveFlow.ts';

/** Saves every document that is a flow and names the others. With `failOnError` the first bad one ends it. */
export async function importFlows(
  documents: readonly Document[],
  failOnError: boolean,
  parts: SaveParts,
): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, text } of documents) {
    try {
      await importFlow(text, parts);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      if (failOnError) throw new AppError(error.code, `${name}: ${error.message}`, { cause: error });
      failures.push(name);
    }
  }
  return [...new Set(failures)];
}
