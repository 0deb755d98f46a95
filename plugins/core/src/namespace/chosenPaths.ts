import type { TaskContext } from '@millrace/plugin-kit';
import { createGlobMatcher } from '@millrace/plugin-kit';

/** The matching files of the namespace; a pattern that starts with a name also matches in every folder. */
export async function chosenPaths(
  context: Pick<TaskContext, 'namespaceFiles'>,
  namespace: string,
  patterns: readonly string[],
): Promise<readonly string[]> {
  const matches = createGlobMatcher(
    patterns.flatMap((pattern) => (/^\w/.test(pattern) ? [pattern, `**/${pattern}`] : [pattern])),
  );
  return (await context.namespaceFiles.list(namespace)).filter(matches);
}
