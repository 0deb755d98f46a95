import type { TaskContext } from '@millrace/plugin-kit';
import { createGlobMatcher, flag, listOf, text } from '@millrace/plugin-kit';

/** Properties that name several namespaces. */
export const namespaceChoice = {
  namespaces: listOf(text())
    .optional()
    .describe('The namespaces to look in; that of the flow when neither these nor a pattern are given.'),
  namespacePattern: text().optional().describe('Every namespace that matches this glob.'),
  includeChildNamespaces: flag().default(true).describe('Also the namespaces below the named ones.'),
};

interface Choice {
  readonly namespaces?: readonly string[] | undefined;
  readonly namespacePattern?: string | undefined;
  readonly includeChildNamespaces: boolean;
}

/** Without a choice, the namespace of the flow. */
export async function chooseNamespaces(context: TaskContext, choice: Choice): Promise<readonly string[]> {
  const { namespaces, namespacePattern, includeChildNamespaces } = choice;
  const all = await context.actions.listNamespaces();
  if (namespacePattern !== undefined) return all.filter(createGlobMatcher([namespacePattern]));
  const named = namespaces ?? [context.run.namespace];
  return all.filter(
    (namespace) =>
      named.includes(namespace) ||
      (includeChildNamespaces && named.some((parent) => namespace.startsWith(`${parent}.`))),
  );
}
