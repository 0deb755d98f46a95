import type { Step, VariableUse } from '@millrace/expression';
import { editDistance } from '../flow/nearestName.ts';
import { shortType } from '../flow/typeName.ts';
import type { CheckContext } from './checkContext.ts';
import { checkOutputs, checkTaskStates } from './checkOutputs.ts';
import type { FlowModel } from './flowTemplates.ts';
import { isClosed, propertiesOf } from './outputShape.ts';
import { hasLoopValue, isValueLoop, type TaskPlace } from './taskPlaces.ts';
import { didYouMean, type UseProblem, unknownName } from './useProblem.ts';

/** Every variable that an expression of a flow may read. */
export const variableNames: readonly string[] = [
  'inputs',
  'outputs',
  'vars',
  'labels',
  'flow',
  'execution',
  'trigger',
  'taskrun',
  'task',
  'tasks',
  'parent',
  'parents',
  'envs',
  'globals',
  'kestra',
  'schedule',
  'workerTaskrun',
  'item',
];

/** Names that other products or editions set; an expression with them is left alone. */
const foreignNames = new Set(['_context', 'namespace', 'error', 'errorLogs', 'secret', 'loop']);

/** The attributes of variables that have the same ones in every flow. */
export const fixedAttributes: Readonly<Record<string, readonly string[]>> = {
  flow: ['id', 'namespace', 'revision', 'tenantId'],
  execution: ['id', 'state', 'startDate', 'endDate', 'originalId', 'outputs'],
  task: ['id', 'type'],
  item: ['value', 'index'],
  taskrun: ['id', 'startDate', 'attemptsCount', 'parentId', 'value', 'iteration', 'items'],
};

export function checkVariable(use: VariableUse, context: CheckContext): UseProblem[] {
  if (use.isGuarded) return [];
  const { scope } = context;
  switch (use.name) {
    case 'inputs':
      // The conditions of a trigger may read the inputs of another execution.
      return scope.kind === 'trigger' ? [] : checkInputs(use, context.model);
    case 'vars':
      return checkVars(use, context.model);
    case 'outputs':
      return scope.kind === 'trigger' || scope.kind === 'input' ? [] : checkOutputs(use, context);
    case 'tasks':
      return scope.kind === 'trigger' || scope.kind === 'input' ? [] : checkTaskStates(use, context.model);
    case 'trigger':
      return scope.kind === 'trigger' ? [] : checkTrigger(use, context);
    case 'taskrun':
      return [...checkAttribute(use), ...(scope.kind === 'task' ? checkTaskRun(use, scope.place) : [])];
    case 'parent':
    case 'parents':
      return scope.kind === 'task' ? checkParent(use, scope.place) : [];
    case 'flow':
    case 'execution':
    case 'task':
      return scope.kind === 'trigger' ? [] : checkAttribute(use);
    default:
      return checkRoot(use, context);
  }
}

function checkRoot(use: VariableUse, { model, scope, shapeOf }: CheckContext): UseProblem[] {
  const { name } = use;
  if (variableNames.includes(name) || foreignNames.has(name) || scope.kind !== 'task') return [];
  const { task } = scope.place;
  const shape = shapeOf(task.type);
  // Types may render their properties with variables that only they know.
  if (!shape || scope.isNested || shape.raw?.includes(scope.property)) return [];
  if (shape.addsVariables && !variableNames.some((known) => editDistance(known, name) === 1)) return [];
  const message = `Variable "${name}" does not exist`;
  const { start, end } = use;
  const meant = ownerOf(name, model);
  if (meant) return [{ message: didYouMean(message, meant), start, end }];
  return [unknownName(use, message, name, variableNames)];
}

/** Names of the flow itself are read through the variable that holds them. */
function ownerOf(name: string, { flow, places }: FlowModel): string | undefined {
  if (flow.inputs?.some(({ id }) => id === name)) return `inputs.${name}`;
  if (Object.hasOwn(flow.variables ?? {}, name)) return `vars.${name}`;
  return places.byId.has(name) ? `outputs.${name}` : undefined;
}

function checkInputs({ steps: [first, ...rest] }: VariableUse, { flow }: FlowModel): UseProblem[] {
  if (first?.key === undefined) return [];
  const ids = (flow.inputs ?? []).map(({ id }) => id);
  const heads = ids.map((id) => id.split('.')[0] ?? id);
  if (!heads.includes(first.key) && !ids.includes(first.key)) {
    const message =
      ids.length === 0
        ? `Input "${first.key}" does not exist: the flow has no inputs`
        : `Input "${first.key}" does not exist`;
    return [unknownName(first, message, first.key, new Set(heads))];
  }
  // Ids with dots are nested: `a.b` is read as `inputs.a.b`.
  const [second] = rest;
  const inner = ids.filter((id) => id.startsWith(`${first.key}.`)).map((id) => id.split('.')[1] ?? '');
  if (ids.includes(first.key) || second?.key === undefined || inner.includes(second.key)) return [];
  const message = `Input "${first.key}.${second.key}" does not exist`;
  return [unknownName(second, message, second.key, inner)];
}

const variableSetters = new Set(['core.execution.SetVariables']);

function checkVars({ steps: [first] }: VariableUse, { flow, places }: FlowModel): UseProblem[] {
  if (first?.key === undefined) return [];
  const names = new Set(Object.keys(flow.variables ?? {}));
  for (const { task } of places.all) {
    if (!variableSetters.has(shortType(task.type))) continue;
    const { variables } = task;
    // A map that an expression gives may hold any variable.
    if (typeof variables !== 'object' || variables === null) return [];
    for (const name of Object.keys(variables)) names.add(name);
  }
  if (names.has(first.key)) return [];
  return [
    unknownName(first, `Variable "${first.key}" is not among the variables of the flow`, first.key, names),
  ];
}

/** Attributes that an execution started by another flow or by a person may have, whatever the triggers. */
const commonTriggerAttributes = [
  'date',
  'executionId',
  'namespace',
  'flowId',
  'flowRevision',
  'state',
  'outputs',
];

function checkTrigger({ steps }: VariableUse, { model, shapeOf }: CheckContext): UseProblem[] {
  const [first] = steps;
  if (first?.key === undefined || commonTriggerAttributes.includes(first.key)) return [];
  const triggers = model.flow.triggers ?? [];
  if (triggers.length === 0) {
    const message = `Trigger attribute "${first.key}" does not exist: the flow has no trigger`;
    return [{ message, start: first.start, end: first.end }];
  }
  const names = new Set<string>();
  for (const { type } of triggers) {
    const outputs = shapeOf(type)?.outputs;
    const properties = propertiesOf(outputs);
    if (!outputs || !properties || !isClosed(outputs)) return [];
    for (const name of Object.keys(properties)) names.add(name);
  }
  if (names.has(first.key)) return [];
  return [unknownName(first, `No trigger of the flow has an output "${first.key}"`, first.key, names)];
}

function checkAttribute({ name, steps: [first, second] }: VariableUse): UseProblem[] {
  const known = fixedAttributes[name];
  if (first?.key === undefined || !known) return [];
  if (!known.includes(first.key))
    return [unknownName(first, `"${name}" has no attribute "${first.key}"`, first.key, known)];
  const isText = first.key === 'id' || first.key === 'type' || first.key === 'startDate';
  return isText && second?.key !== undefined ? [plainText(`${name}.${first.key}`, second)] : [];
}

const plainText = (path: string, { key, start, end }: Step): UseProblem => ({
  message: `"${path}" is a text and has no property "${key}"`,
  start,
  end,
});

function checkTaskRun({ steps: [first] }: VariableUse, place: TaskPlace): UseProblem[] {
  if (first?.key === undefined) return [];
  const { start, end } = first;
  const around = ancestors(place);
  const isInLoop = around.some((each) => isValueLoop(each) || each.control === 'core.flow.LoopUntil');
  if (first.key === 'value' && !hasLoopValue(place)) {
    if (!around.some(isValueLoop)) return [{ message: '"taskrun.value" exists only in a loop', start, end }];
    const message = '"taskrun.value" exists only in the tasks directly in a loop; use "parent.taskrun.value"';
    return [{ message, start, end }];
  }
  const isBatch = place.control === 'core.flow.ForEachItem';
  if (first.key === 'iteration' && !isInLoop && !isBatch)
    return [{ message: '"taskrun.iteration" exists only in a loop', start, end }];
  if (first.key === 'items' && !isBatch)
    return [{ message: '"taskrun.items" exists only in the properties of a ForEachItem task', start, end }];
  return [];
}

function checkParent({ name, start, end }: VariableUse, place: TaskPlace): UseProblem[] {
  if (place.parent) return [];
  return [{ message: `"${name}" does not exist: no task holds "${place.task.id}"`, start, end }];
}

function ancestors({ parent }: TaskPlace): TaskPlace[] {
  return parent ? [parent, ...ancestors(parent)] : [];
}
