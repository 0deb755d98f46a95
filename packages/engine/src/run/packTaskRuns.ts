import type {
  Execution,
  ExecutionRecord,
  HistoryRecord,
  PackedTaskRuns,
  StateRecord,
  StateType,
  TaskRun,
  TaskRunRecord,
  TaskRunShape,
} from '@millrace/contract';
import { hideSealed } from '../inputs/sealed.ts';
import { chooseTaskRuns, maxShownTaskRuns, presentExecution, presentTaskRun } from './present.ts';

/** The view of an execution on the API, its task runs by column. */
export function presentPackedExecution(
  execution: ExecutionRecord,
  taskRuns: readonly TaskRunRecord[],
  now: number,
): Execution {
  const shown = presentExecution(execution, [], now);
  if (taskRuns.length > 0) shown.packedTaskRuns = packTaskRuns(chooseTaskRuns(taskRuns), now);
  if (taskRuns.length > maxShownTaskRuns) shown.taskRunTotal = taskRuns.length;
  return shown;
}

/** Writes task runs by column. Parents must stand before their children. */
function packTaskRuns(taskRuns: readonly TaskRunRecord[], at: number): PackedTaskRuns {
  const packed: PackedTaskRuns = {
    at,
    shapes: [],
    shape: [],
    id: [],
    parent: [],
    value: [],
    iteration: [],
    outputs: [],
    times: [],
  };
  const shapes = new Map<string, number>();
  const lastOf = new Map<string, number>();
  const positions = new Map<string, number>();
  let before = 0;
  const addTimes = ({ histories }: StateRecord) => {
    for (const { date } of histories) {
      packed.times.push(date - before);
      before = date;
    }
  };
  for (const taskRun of taskRuns) {
    const parent = taskRun.parentId === undefined ? -1 : (positions.get(taskRun.parentId) ?? -1);
    // Iterations of a loop follow each other, so the shape is usually the last one of the same task.
    let shape = lastOf.get(taskRun.taskId);
    if (shape === undefined || !hasShape(taskRun, parent, packed.shapes[shape]!)) {
      const key = shapeKey(taskRun, parent);
      shape = shapes.get(key);
      if (shape === undefined) {
        shape = packed.shapes.push(shapeOf(taskRun, parent)) - 1;
        shapes.set(key, shape);
      }
      lastOf.set(taskRun.taskId, shape);
    }
    positions.set(taskRun.id, packed.id.length);
    packed.shape.push(shape);
    packed.id.push(taskRun.id);
    packed.parent.push(parent);
    packed.value.push(taskRun.value ?? null);
    packed.iteration.push(taskRun.iteration ?? null);
    packed.outputs.push(taskRun.outputs ? { ...hideSealed(taskRun.outputs) } : null);
    addTimes(taskRun.state);
    for (const attempt of taskRun.attempts) addTimes(attempt.state);
  }
  return packed;
}

/** The views that `packTaskRuns` packed. */
export function unpackTaskRuns(
  packed: PackedTaskRuns,
  execution: Pick<ExecutionRecord, 'id' | 'tenantId' | 'namespace' | 'flowId'>,
): TaskRun[] {
  let next = 0;
  let before = 0;
  const takeTimes = ({ histories }: Draft['state']) => {
    for (const step of histories) {
      before += packed.times[next++]!;
      step.date = before;
    }
  };
  const drafts = packed.shapes.map((shape) => draftOf(shape, execution.id));
  return packed.id.map((id, order) => {
    const draft = drafts[packed.shape[order]!]!;
    draft.id = id;
    draft.order = order;
    draft.parentId = packed.id[packed.parent[order]!] ?? draft.missingParentId;
    draft.value = packed.value[order] ?? undefined;
    draft.iteration = packed.iteration[order] ?? undefined;
    draft.outputs = packed.outputs[order] ?? undefined;
    takeTimes(draft.state);
    for (const { state } of draft.attempts) takeTimes(state);
    // `as`: absent and undefined are the same to the view, which copies everything from the draft.
    return presentTaskRun(draft as TaskRunRecord, execution, packed.at);
  });
}

type MutableState = { current: StateType; histories: Mutable<HistoryRecord>[] };
interface Draft
  extends Omit<
    Partial<Mutable<TaskRunRecord>>,
    'state' | 'attempts' | 'value' | 'parentId' | 'iteration' | 'outputs'
  > {
  state: MutableState;
  attempts: { state: MutableState; logFile?: string }[];
  missingParentId: string | undefined;
  parentId: string | undefined;
  value: string | undefined;
  iteration: number | undefined;
  outputs: TaskRunRecord['outputs'] | undefined;
}

/** One record per shape is filled for each of its task runs: the memory of a record per task run costs as much as the views. */
function draftOf(shape: TaskRunShape, executionId: string): Draft {
  const toState = (steps: TaskRunShape['steps']): MutableState => ({
    current: steps.at(-1)?.state ?? 'CREATED',
    histories: steps.map(({ state, by }) => (by ? { state, date: 0, by } : { state, date: 0 })),
  });
  return {
    executionId,
    taskId: shape.taskId,
    state: toState(shape.steps),
    attempts: shape.attempts.map(({ steps, logFile }) =>
      logFile === undefined ? { state: toState(steps) } : { state: toState(steps), logFile },
    ),
    missingParentId: shape.parentId,
    parentId: undefined,
    value: undefined,
    iteration: undefined,
    outputs: undefined,
    ...(shape.dynamic ? { dynamic: shape.dynamic } : {}),
    ...(shape.copied ? { copied: shape.copied } : {}),
    ...(shape.edited ? { edited: shape.edited } : {}),
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const stepsOf = ({ histories }: StateRecord): TaskRunShape['steps'] =>
  histories.map(({ state, by }) => (by ? { state, by } : { state }));

const shapeOf = (
  { taskId, parentId, state, attempts, dynamic, copied, edited }: TaskRunRecord,
  parent: number,
): TaskRunShape => ({
  taskId,
  ...(parentId !== undefined && parent < 0 ? { parentId } : {}),
  steps: stepsOf(state),
  attempts: attempts.map((attempt) => ({
    steps: stepsOf(attempt.state),
    ...(attempt.logFile === undefined ? {} : { logFile: attempt.logFile }),
  })),
  ...(dynamic ? { dynamic } : {}),
  ...(copied ? { copied } : {}),
  ...(edited ? { edited } : {}),
});

/** Whether a task run has the shape of another one; false also when that is not cheap to say. */
function hasShape(taskRun: TaskRunRecord, parent: number, shape: TaskRunShape): boolean {
  const { parentId, state, attempts, dynamic, copied, edited } = taskRun;
  if (parentId !== undefined && parent < 0) return false;
  if (dynamic || copied || edited || shape.dynamic || shape.copied || shape.edited) return false;
  if (shape.parentId !== undefined || attempts.length !== shape.attempts.length) return false;
  if (!hasSteps(state, shape.steps)) return false;
  for (let index = 0; index < attempts.length; index++) {
    const [attempt, one] = [attempts[index]!, shape.attempts[index]!];
    if (attempt.logFile !== one.logFile || !hasSteps(attempt.state, one.steps)) return false;
  }
  return true;
}

function hasSteps({ histories }: StateRecord, steps: TaskRunShape['steps']): boolean {
  if (histories.length !== steps.length) return false;
  for (let index = 0; index < steps.length; index++) {
    const [history, step] = [histories[index]!, steps[index]!];
    if (history.state !== step.state || history.by || step.by) return false;
  }
  return true;
}

/** The text that tells shapes apart: comparing it is cheaper than making the shape of each task run. */
function shapeKey(taskRun: TaskRunRecord, parent: number): string {
  const { taskId, parentId, state, attempts, dynamic, copied, edited } = taskRun;
  const missing = parentId !== undefined && parent < 0 ? parentId : '';
  let key = `${taskId}\n${missing}\n${dynamic ?? ''}${copied ?? ''}${edited ?? ''}`;
  const addState = ({ histories }: StateRecord) => {
    for (const step of histories)
      key += step.by ? ` ${step.state}${JSON.stringify(step.by)}` : ` ${step.state}`;
  };
  addState(state);
  for (const attempt of attempts) {
    key += `\n${attempt.logFile ?? ''}`;
    addState(attempt.state);
  }
  return key;
}
