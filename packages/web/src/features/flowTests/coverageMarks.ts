import type { TestedBranch } from '@millrace/contract';
import type { Mark, Marks } from '../topology/index.ts';

/** How much of each task the tests reach: all its branches, some of them, or none. */
export function coverageMarks(coverage: readonly TestedBranch[]): Marks {
  const byTask = new Map<string, TestedBranch[]>();
  for (const branch of coverage) byTask.set(branch.taskId, [...(byTask.get(branch.taskId) ?? []), branch]);
  return new Map([...byTask].map(([taskId, branches]) => [taskId, markOf(branches)]));
}

function markOf(branches: readonly TestedBranch[]): Mark {
  if (branches.every(({ isCovered }) => isCovered)) return 'covered';
  return branches.some(({ isCovered }) => isCovered) ? 'partlyCovered' : 'notCovered';
}
