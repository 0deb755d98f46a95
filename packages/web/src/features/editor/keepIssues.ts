import type { Issue } from '@millrace/contract';

/** The issues as they were found before, where they are equal: what shows them need not be drawn for each keystroke. */
export const keepIssues = (before: Issue[], found: Issue[]): Issue[] =>
  JSON.stringify(before) === JSON.stringify(found) ? before : found;
