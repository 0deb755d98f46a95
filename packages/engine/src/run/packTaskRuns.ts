import type {
  Execution,
  ExecutionRecord,
  HistoryRecord,
  PackedTaskRuns,
  StateRecord,
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
    const key = shapeKey(taskRun, parent);
    let shape = shapes.get(key);
    if (shape === undefined) {
      shape = packed.shapes.push(shapeOf(taskRun, parent)) - 1;
      shapes.set(key, shape);
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
  const takeState = (steps: TaskRunShape['steps']): StateRecord => {
    const histories: HistoryRecord[] = [];
    for (const { state, by } of steps) {
      before += packed.times[next++]!;
      histories.push(by ? { state, date: before, by } : { state, date: before });
    }
    return { current: histories.at(-1)?.state ?? 'CREATED', histories };
  };
  return packed.id.map((id, order) => {
    const shape = packed.shapes[packed.shape[order]!]!;
    const parentId = packed.id[packed.parent[order]!] ?? shape.parentId;
    const value = packed.value[order] ?? undefined;
    const iteration = packed.iteration[order] ?? undefined;
    const outputs = packed.outputs[order] ?? undefined;
    // By name instead of in one literal full of spreads, which takes several times as long.
    const record: Mutable<TaskRunRecord> = {
      id,
      executionId: execution.id,
      taskId: shape.taskId,
      order,
      state: takeState(shape.steps),
      attempts: shape.attempts.map(({ steps, logFile }) =>
        logFile === undefined ? { state: takeState(steps) } : { state: takeState(steps), logFile },
      ),
    };
    if (parentId !== undefined) record.parentId = parentId;
    if (value !== undefined) record.value = value;
    if (iteration !== undefined) record.iteration = iteration;
    if (outputs !== undefined) record.outputs = outputs;
    if (shape.dynamic) record.dynamic = shape.dynamic;
    if (shape.copied) record.copied = shape.copied;
    if (shape.edited) record.edited = shape.edited;
    return presentTaskRun(record, execution, packed.at);
  });
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
