import { AppError, type ExecutionRecord, type Flow, type Task, type TaskRunRecord } from '@millrace/contract';
import { controlOf } from '../control/index.ts';
import { childLists } from '../flow/children.ts';
import { load } from '../run/load.ts';
import { Run, type RunEnvironment } from '../run/run.ts';
import {
  leavesOf,
  loopsAround,
  needsNoControl,
  type Playground,
  playgroundFlow,
  type ReusedResult,
  runnableTask,
} from './playgroundFlow.ts';

export interface PlaygroundWanted {
  readonly taskId: string;
  readonly mode: 'task' | 'upTo';
  readonly loopValues?: Readonly<Record<string, string>>;
  /** Outputs that a user set, by task. */
  readonly pins?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Earlier tasks that run although they have outputs. */
  readonly again?: readonly string[];
}

/** A result of an earlier execution, with the execution that had it. */
export interface KnownResult extends ReusedResult {
  readonly executionId: string;
  readonly at: number;
}

interface PlaygroundStep {
  readonly taskId: string;
  /**
   * `run`: it runs. `reuse`: it ends with the outputs of an earlier execution. `pin`: it ends with the outputs that
   * the user set. `leaveOut`: it has no outputs and does not run.
   */
  readonly action: 'run' | 'reuse' | 'pin' | 'leaveOut';
  readonly executionId?: string;
  readonly at?: number;
}

export interface PlaygroundPlan {
  readonly playground: Playground;
  /** Earlier tasks and the chosen one, in the order of the flow. */
  readonly steps: readonly PlaygroundStep[];
  /** The loops around the chosen task, from the outside in. */
  readonly loops: readonly string[];
}

/** Decides which tasks a playground execution runs, and which ones end with known outputs. */
export function planPlayground(
  flow: Flow,
  wanted: PlaygroundWanted,
  known: readonly KnownResult[],
): PlaygroundPlan {
  const chosen = runnableTask(flow, wanted.taskId);
  if (chosen.disabled === true)
    throw new AppError('illegal-argument', `The task "${chosen.id}" is disabled, so it cannot run.`);
  const loopValues = wanted.loopValues && { loopValues: wanted.loopValues };
  const base = { taskId: chosen.id, mode: wanted.mode, ...loopValues };
  // The tasks up to the chosen one, however they end: a plan without results keeps all of them.
  const around = playgroundFlow(flow, { ...base, mode: 'upTo', results: [] });
  const handled = around.tasks.length > 0 ? earlierTasks(flow, around, chosen) : [];
  const choices = new Map<string, ReusedResult[]>();
  const again = new Set(wanted.again);
  for (const task of handled) choose(task, { ...wanted, again }, known, choices);
  const results = [...choices.values()].flat();
  const playground: Playground = { ...base, results };
  const steps = [
    ...handled.flatMap(leavesOf).flatMap((task) => stepOf(task, wanted, choices, known)),
    { taskId: chosen.id, action: 'run' } as const,
  ];
  return { playground, steps, loops: loopsAround(flow, chosen.id) };
}

/** Earlier tasks, each container as one: its tasks are reused together or run together when it has a folder. */
function earlierTasks(flow: Flow, around: Flow, chosen: Task): Task[] {
  const found: Task[] = [];
  const isHandler = !flow.tasks.some((task) => holds(task, chosen.id));
  const visit = (task: Task): void => {
    if (task.id === chosen.id) return;
    if (holds(task, chosen.id))
      for (const { branch, tasks } of childLists(task))
        if (branch !== 'errors' && branch !== 'finally') for (const child of tasks) visit(child);
        else continue;
    else if (task.disabled !== true) found.push(task);
  };
  if (isHandler) for (const task of flow.tasks) visit(task);
  for (const task of around.tasks)
    if (!isHandler || !flow.tasks.some(({ id }) => id === task.id)) visit(task);
  return found;
}

const holds = (task: Task, id: string): boolean =>
  task.id === id || childLists(task).some(({ tasks }) => tasks.some((child) => holds(child, id)));

type Choice = Omit<PlaygroundWanted, 'again'> & { readonly again: ReadonlySet<string> };

function choose(
  task: Task,
  wanted: Choice,
  known: readonly KnownResult[],
  choices: Map<string, ReusedResult[]>,
): void {
  const leaves = leavesOf(task);
  const found = new Map(leaves.map((leaf) => [leaf.id, resultsOf(leaf, wanted, known)]));
  // Files are not kept and iterations are not repeated, so such a container is reused as a whole or not at all.
  const isComplete = leaves.every((leaf) => (found.get(leaf.id)?.length ?? 0) > 0);
  if (leaves[0] !== task && needsNoControl(task)) {
    if (isComplete && !wanted.again.has(task.id))
      for (const [id, results] of found) choices.set(id, [...results]);
    return;
  }
  if (leaves[0] === task) {
    const results = found.get(task.id) ?? [];
    if (results.length > 0) choices.set(task.id, [...results]);
    return;
  }
  for (const { tasks } of childLists(task)) for (const child of tasks) choose(child, wanted, known, choices);
}

function resultsOf(
  task: Task,
  { pins, again }: Choice,
  known: readonly KnownResult[],
): readonly ReusedResult[] {
  const pinned = pins?.[task.id];
  if (pinned) return [{ taskId: task.id, outputs: pinned, from: 'pinned' }];
  if (again.has(task.id) || controlOf(task.type)?.kind === 'acting') return [];
  return known
    .filter(({ taskId }) => taskId === task.id)
    .map(({ executionId: _, at: __, ...result }) => result);
}

function stepOf(
  task: Task,
  { mode }: PlaygroundWanted,
  choices: ReadonlyMap<string, readonly ReusedResult[]>,
  known: readonly KnownResult[],
): PlaygroundStep[] {
  // Tasks that only change the execution always run; a list of them would say nothing.
  if (controlOf(task.type)?.kind === 'acting') return [];
  const [result] = choices.get(task.id) ?? [];
  if (!result) return [{ taskId: task.id, action: mode === 'upTo' ? 'run' : 'leaveOut' }];
  if (result.from === 'pinned') return [{ taskId: task.id, action: 'pin' }];
  const source = known.find(({ taskId }) => taskId === task.id);
  return [
    {
      taskId: task.id,
      action: 'reuse',
      ...(source ? { executionId: source.executionId, at: source.at } : {}),
    },
  ];
}

/** The results of an execution that another one can reuse: those of tasks that ended well. */
export function reusableResults(
  flow: Flow,
  {
    execution,
    taskRuns,
  }: { readonly execution: ExecutionRecord; readonly taskRuns: readonly TaskRunRecord[] },
  environment: RunEnvironment,
): KnownResult[] {
  const { memo: _, ...record } = execution;
  const run = new Run(flow, record, environment);
  load(run, taskRuns);
  return [...run.nodes.values()].flatMap((node) => {
    const { taskId, outputs, state, dynamic } = node.record;
    if (dynamic || (state.current !== 'SUCCESS' && state.current !== 'WARNING')) return [];
    if (run.index.controlOf(node.task)?.kind === 'container') return [];
    const values = run.valuesOf(node);
    return [
      {
        taskId,
        from: 'execution' as const,
        executionId: execution.id,
        at: state.histories.at(-1)?.date ?? 0,
        ...(values.length > 0 ? { values } : {}),
        ...(outputs ? { outputs } : {}),
      },
    ];
  });
}
