import type { Step, VariableUse } from '@millrace/expression';
import { stagesOf } from '../control/forEachItem.ts';
import type { CheckContext } from './checkContext.ts';
import type { FlowModel } from './flowTemplates.ts';
import { describeMissing } from './missingOutput.ts';
import { propertiesOf } from './outputShape.ts';
import { type RunOrder, runOrder } from './runOrder.ts';
import { hasLoopValue, loopsAround, type TaskPlace } from './taskPlaces.ts';
import { type UseProblem, unknownName } from './useProblem.ts';

/** `outputs.<task>.<property>`: the task exists, has ended by then, and has this output. */
export function checkOutputs(use: VariableUse, context: CheckContext): UseProblem[] {
  const [first, ...rest] = use.steps;
  if (first?.key === undefined) return [];
  const { model, scope } = context;
  const other = model.places.byId.get(first.key);
  if (!other) return unknownTask(first, use.name, model);
  if (scope.kind === 'task') {
    const problem = orderProblem(first, scope.place, scope.property, other);
    if (problem) return [problem];
  }
  if (other.task.disabled === true) {
    const message = `Task "${first.key}" is disabled, so it has no outputs`;
    return [{ message, start: first.start, end: first.end }];
  }
  return checkProperties(first.key, rest, other, context);
}

/** `tasks.<task>.state`: the task exists. */
export function checkTaskStates({ name, steps: [first] }: VariableUse, model: FlowModel): UseProblem[] {
  if (first?.key === undefined || model.places.byId.has(first.key)) return [];
  return unknownTask(first, name, model);
}

const taskId = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/;

function unknownTask(step: Step, variable: string, { places }: FlowModel): UseProblem[] {
  const id = step.key ?? '';
  // Names that no task of a flow can have belong to task runs that a task reports, such as models of dbt.
  const isOpen = places.all.some(({ control }) => control === 'core.flow.Template');
  if (isOpen || !taskId.test(id)) return [];
  const message = `Task "${id}" does not exist`;
  const hyphenated = [...places.byId.keys()].find((other) => other.startsWith(`${id}-`));
  if (hyphenated === undefined) return [unknownName(step, message, id, places.byId.keys())];
  const { start, end } = step;
  return [{ message: `${message}: "-" subtracts, so write ${variable}['${hyphenated}']`, start, end }];
}

/** Properties that a control task evaluates before its children run. */
const evaluatedFirst = new Set([
  'core.flow.If.condition',
  'core.flow.Switch.value',
  'core.flow.ForEach.values',
]);

function orderProblem(
  { key: id, start, end }: Step,
  reader: TaskPlace,
  property: string,
  other: TaskPlace,
): UseProblem | undefined {
  const order = runOrder(reader, other);
  const say = (message: string): UseProblem => ({ message, start, end });
  const describe: Readonly<Record<RunOrder, () => UseProblem | undefined>> = {
    before: () => undefined,
    later: () => say(`Task "${id}" runs after this task, so its outputs do not exist yet`),
    parallel: () =>
      reader.parent?.control === 'core.flow.Dag'
        ? say(`This task does not depend on task "${id}", so its outputs may not exist yet`)
        : say(`Task "${id}" runs in parallel with this task, so its outputs may not exist yet`),
    excluded: () => say(`Task "${id}" runs in another branch, so its outputs never exist here`),
    itself: () =>
      // A task that holds others sets its outputs when it starts.
      other.control
        ? undefined
        : say(`Task "${id}" reads its own outputs, which exist only after it has ended`),
    inside: () =>
      evaluatedFirst.has(`${reader.control}.${property}`)
        ? say(`Task "${id}" runs inside this task, after "${property}" is evaluated`)
        : undefined,
  };
  return describe[order]();
}

function checkProperties(
  id: string,
  steps: readonly Step[],
  other: TaskPlace,
  { shapeOf, scope }: CheckContext,
): UseProblem[] {
  const isStage = id !== other.task.id;
  const type = isStage ? stageType(other, id) : other.task.type;
  const schema = type === undefined ? undefined : shapeOf(type)?.outputs;
  if (!schema) return [];
  const loops = loopsAround(other);
  if (loops.length === 0) return describeMissing(id, schema, steps);
  // In a shared folder the outputs are there under one more key.
  if (other.parent?.control === 'core.flow.WorkingDirectory') return [];
  const [first] = steps;
  const isOutputName = first?.key !== undefined && Object.hasOwn(propertiesOf(schema) ?? {}, first.key);
  if (first && isOutputName && !literalValues(loops[0]).includes(first.key ?? '')) {
    const message = `Task "${id}" runs once per value of a loop: write ${iteration(id, first, loops, scope)}`;
    return [{ message, start: first.start, end: first.end }];
  }
  return describeMissing(id, schema, steps.slice(loops.length));
}

/** How an output of a task in a loop is read: of the same iteration inside the loop, of all outside. */
function iteration(
  id: string,
  { key }: Step,
  loops: readonly TaskPlace[],
  scope: CheckContext['scope'],
): string {
  const reader = scope.kind === 'task' ? scope.place : undefined;
  const isInside = reader && loops.every((loop) => loopsAround(reader).includes(loop));
  if (!isInside) return `loopOutputs(outputs.${id}, '${key}')`;
  if (loops.length > 1) return `currentEachOutput(outputs.${id}).${key}`;
  return `outputs.${id}[${hasLoopValue(reader) ? '' : 'parent.'}taskrun.value].${key}`;
}

/** The values of a loop that are written in the flow. */
function literalValues(loop: TaskPlace | undefined): string[] {
  const written = loop?.task.values ?? loop?.task.value;
  if (Array.isArray(written)) return written.map(String);
  return typeof written === 'string'
    ? [...written.matchAll(/["']([^"']*)["']/g)].map(([, text = '']) => text)
    : [];
}

function stageType({ task }: TaskPlace, id: string): string | undefined {
  return stagesOf(task, 1).find((stage) => stage.id === id)?.type;
}
