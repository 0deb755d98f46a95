import { createParts, type Properties, partsOf, type TaskContext } from '@millrace/plugin-kit';

export const retrieverPlace = 'ContentRetrieverProvider';

/** A text that supports the model's answer, and its source. */
export interface Found {
  readonly content: string;
  readonly metadata?: Properties;
}

export interface ContentRetriever {
  retrieve(query: string): Promise<readonly Found[]>;
}

export const retrieversProperty = () =>
  partsOf(retrieverPlace)
    .optional()
    .describe('Search for texts about the prompt, which are added to it before the model is asked.');

export async function retrieveAll(
  context: TaskContext,
  written: unknown,
  query: string,
  isRendered = true,
): Promise<readonly Found[]> {
  const retrievers = await createParts<ContentRetriever>(context, retrieverPlace, written, { isRendered });
  const found = await Promise.all(retrievers.map((retriever) => retriever.retrieve(query)));
  return found.flat();
}

/** The prompt with the texts that were found for it. */
export const withFound = (prompt: string, found: readonly Found[]): string =>
  found.length === 0
    ? prompt
    : `${prompt}\n\nAnswer using the following information:\n${found.map(({ content }) => content).join('\n\n')}`;

export const sourcesOf = (found: readonly Found[]) =>
  found.length === 0
    ? {}
    : { sources: found.map(({ content, metadata = {} }) => ({ content, metadata: { ...metadata } })) };
