import { AppError } from '@millrace/contract';
import type { Document } from '../archives/readUpload.ts';
import { importTestSuite } from '../flowTests/flowTests.ts';
import { importFlow, type SaveOptions, type SaveParts } from './saveFlow.ts';

/** Saves every document that is a flow and names the others. With `failOnError` the first bad one ends it. */
export async function importFlows(
  documents: readonly Document[],
  { failOnError, ...options }: SaveOptions & { readonly failOnError: boolean },
  parts: SaveParts,
): Promise<string[]> {
  const failures: string[] = [];
  // Tests come last: a suite is refused without its flow.
  for (const document of [
    ...documents.filter((each) => !isTestDocument(each)),
    ...documents.filter(isTestDocument),
  ]) {
    const { name, text } = document;
    try {
      if (isTestDocument(document)) await importTestSuite(text, parts);
      else await importFlow(text, parts, options);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      if (failOnError) throw new AppError(error.code, `${name}: ${error.message}`, { cause: error });
      failures.push(name);
    }
  }
  return [...new Set(failures)];
}

/** A file of an archive with tests of a flow. */
export const isTestDocument = ({ name }: Document): boolean => /\.test\.ya?ml$/i.test(name);
