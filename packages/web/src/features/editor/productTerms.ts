import type { Issue } from '@millrace/contract';
import type { TFunction } from 'i18next';

const repeated = /Duplicate (task|trigger) id with name \[(.+)\]/;

/** A finding in the words that the product has for it; the server's own words are those that its clients know. */
export function withProductTerms(issue: Issue, t: TFunction): Issue {
  const [, what, ids] = repeated.exec(issue.message) ?? [];
  if (ids === undefined) return issue;
  return {
    ...issue,
    message: t(what === 'task' ? 'editor.taskExists' : 'editor.triggerExists', { id: ids }),
  };
}
