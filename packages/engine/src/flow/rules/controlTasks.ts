import type { Task } from '@millrace/contract';
import { type PlacedTask, placedChildren } from '../children.ts';
import { type ControlType, controlTypeOf } from '../controlType.ts';
import type { Findings } from '../findings.ts';
import type { Path } from '../path.ts';
import { Fields, isData } from '../read/fields.ts';
import { readInputs } from '../read/readInputs.ts';
import { shortType } from '../typeName.ts';
import { checkInputs } from './inputs.ts';

/** [E130] Each control task has the properties that it needs to run its children. */
export function checkControlTasks(tasks: readonly PlacedTask[], findings: Findings): void {
  for (const { task, path } of tasks) {
    const control = controlTypeOf(task.type);
    if (control) checkControlTask(task, control, path, findings);
  }
}

const needsTasks: ReadonlySet<ControlType> = new Set([
  'core.flow.Sequential',
  'core.flow.Parallel',
  'core.flow.Dag',
  'core.flow.ForEach',
  'core.flow.EachSequential',
  'core.flow.EachParallel',
  'core.flow.LoopUntil',
  'core.flow.WorkingDirectory',
  'core.flow.AllowFailure',
]);

function checkControlTask(task: Task, control: ControlType, path: Path, findings: Findings): void {
  const fields = new Fields(task, path, findings);
  if (needsTasks.has(control)) requireTasks(fields, 'tasks');
  switch (control) {
    case 'core.flow.If':
      requireTasks(fields, 'then');
      break;
    case 'core.flow.Switch':
      checkSwitch(fields);
      break;
    case 'core.flow.Dag':
      checkDag(task, fields);
      break;
    case 'core.flow.WorkingDirectory':
      checkWorkingDirectory(task, path, findings);
      break;
    case 'core.flow.Pause':
      checkInputs(readInputs(fields, 'onResume') ?? [], fields.at('onResume'), findings);
      break;
    default:
      break;
  }
}

function requireTasks(fields: Fields, name: string): void {
  if (fields.list(name)?.length === 0 || fields.get(name) === undefined) {
    fields.findings.error(fields.at(name), 'at least one task is needed');
  }
}

function checkSwitch(fields: Fields): void {
  const cases = fields.map('cases');
  if (fields.get('cases') === undefined && fields.get('defaults') === undefined) {
    fields.findings.error(fields.path, 'a Switch needs cases or defaults');
  }
  if (cases && Object.keys(cases).length === 0)
    fields.findings.error(fields.at('cases'), 'at least one case is needed');
  for (const [key, tasks] of Object.entries(cases ?? {})) {
    if (!Array.isArray(tasks))
      fields.findings.error([...fields.at('cases'), key], 'expected a list of tasks');
  }
}

/** [E131] The tasks of a Dag depend on each other without cycles, and only on tasks of that Dag. */
function checkDag(dag: Task, fields: Fields): void {
  const ids = new Set(placedChildren(dag)[0]?.children.map(({ task }) => task.id));
  const edges = new Map<string, string[]>();
  for (const entry of fields.items('tasks')) {
    entry.refuseUnknown(new Set(['task', 'dependsOn']));
    const id = isData(entry.data.task) ? String(entry.data.task.id) : undefined;
    const dependsOn = (entry.list('dependsOn') ?? []).map(String);
    dependsOn.forEach((other, index) => {
      if (ids.has(other)) return;
      entry.findings.error([...entry.at('dependsOn'), index], `Not existing task id in dependency: ${other}`);
    });
    if (id !== undefined) edges.set(id, dependsOn);
  }
  const circle = findCircle(edges);
  if (circle.length > 0) {
    fields.findings.error(fields.at('tasks'), `Cyclic dependency detected: ${circle.join(', ')}`);
  }
}

/** The tasks that remain after repeatedly removing those without open dependencies. */
function findCircle(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const open = new Map(
    [...edges].map(([id, others]) => [id, others.filter((other) => edges.has(other)).length]),
  );
  const users = new Map<string, string[]>();
  for (const [id, others] of edges) {
    for (const other of others) {
      const known = users.get(other);
      if (known) known.push(id);
      else users.set(other, [id]);
    }
  }
  const free = [...open].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    open.delete(id);
    for (const user of users.get(id) ?? []) {
      const left = (open.get(user) ?? 0) - 1;
      open.set(user, left);
      if (left === 0) free.push(user);
    }
  }
  return [...open.keys()];
}

const engineTasks = new Set(['core.execution.Exit', 'core.execution.Labels']);

/** [E132] A worker runs the children of a WorkingDirectory by itself, so each must be a task that workers run. */
function checkWorkingDirectory(task: Task, path: Path, findings: Findings): void {
  const body = placedChildren(task).find((list) => list.branch === 'tasks');
  for (const child of body?.children ?? []) {
    for (const name of ['workerGroup', 'workerSelector']) {
      if (child.task[name] === undefined) continue;
      findings.error(
        [...path, ...child.path, name],
        'Tasks inside a WorkingDirectory share a folder, so they cannot have a separate worker group',
      );
    }
    if (!controlTypeOf(child.task.type) && !engineTasks.has(shortType(child.task.type))) continue;
    findings.error(
      [...path, ...child.path],
      `Only tasks that run on a worker can be inside a WorkingDirectory; "${child.task.type}" does not`,
    );
  }
}
