import type { Task } from '@millrace/contract';
import { childLists } from '../flow/children.ts';
import { controlTypeOf } from '../flow/controlType.ts';
import type { Plan } from './plan.ts';

/** Used where the server sets no other limit. */
export const defaultMaxIterations = 100_000;

/**
 * Refuses a loop that would exceed the limit of its execution. The task runs of every iteration stay in
 * memory and in API responses, so a mistake in an expression could otherwise crash the server.
 */
export function checkIterations(values: number, before: number, limit: number): void {
  if (before + values <= limit) return;
  const others = before === 0 ? '' : ` and the loops before it have ${grouped(before)}`;
  throw new Error(
    `The loop has ${grouped(values)} iterations${others}, but an execution may have at most ${grouped(limit)}. ` +
      'Use fewer values or larger batches, or raise "executions.maxIterations" in the configuration.',
  );
}

/** The store reads no execution with more task runs, because it would fill the memory of the server. */
const maxTaskRuns = 1_000_000;

/** Refuses a loop that would create more task runs than can be loaded after a restart. */
export function checkTaskRuns(plan: Plan, before: number): void {
  const { iterations = 0, size } = plan;
  if (iterations === 0 || size === 0) return;
  const unitsPerIteration = size / iterations;
  let tasks = 0;
  for (let unit = 0; unit < unitsPerIteration; unit++) tasks += countTasks(plan.unit(unit).tasks);
  if (before + iterations * tasks <= maxTaskRuns) return;
  throw new Error(
    `The loop would have ${grouped(iterations * tasks)} task runs (${grouped(iterations)} iterations of ${grouped(tasks)} tasks), but an execution may have at most ${grouped(maxTaskRuns)}. ` +
      'Use fewer values or larger batches, or call a subflow for each value.',
  );
}

/** Of a choice only one branch runs, and a loop inside is checked when it starts. */
const countTasks = (tasks: readonly Task[]): number =>
  tasks.reduce((sum, task) => sum + 1 + (isLoop(task) ? 0 : longestBranch(task)), 0);

const longestBranch = (task: Task): number =>
  Math.max(0, ...childLists(task).map((list) => countTasks(list.tasks)));

const isLoop = ({ type }: Task): boolean => /\.(?:ForEach|Each|LoopUntil)/.test(controlTypeOf(type) ?? '');

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
