import type { Task } from '@millrace/contract';
import { logLevels } from '@millrace/contract';
import { writtenChildren } from '../children.ts';
import type { Findings } from '../findings.ts';
import type { Path } from '../path.ts';
import { keepRead } from '../written.ts';
import { Fields, isData, quote } from './fields.ts';
import { readRetry } from './readRetry.ts';

export const maxTasks = 10_000;

/** The properties that every task has; the rest belongs to its type. */
export const commonTaskProperties: ReadonlySet<string> = new Set([
  'id',
  'type',
  'version',
  'description',
  'retry',
  'timeout',
  'disabled',
  'runIf',
  'allowFailure',
  'allowWarning',
  'logLevel',
  'logToFile',
  'workerGroup',
  'workerSelector',
  'taskCache',
  'assets',
]);

export const idPattern = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/;
const typePattern = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/;

/**
 * Reads tasks of any depth as written; checks the common properties and converts them to text where needed.
 */
export class TaskReader {
  readonly #findings: Findings;
  #count = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** The tasks of a list, without the entries that cannot be a task. */
  readList(owner: Fields, name: string): Task[] | undefined {
    const list = owner.list(name);
    return list && this.#readAll(list, owner.at(name));
  }

  #readAll(list: readonly unknown[], path: Path): Task[] {
    return keepRead(list.map((item, index) => this.readTask(item, [...path, index])));
  }

  readTask(value: unknown, path: Path): Task | undefined {
    if (!isData(value)) {
      this.#findings.error(path, `${quote(value)} is not valid; expected a task with an id and a type`);
      return undefined;
    }
    this.#count += 1;
    if (this.#count === maxTasks + 1) {
      this.#findings.error(path, `A flow can have at most ${maxTasks} tasks`);
    }
    if (this.#count > maxTasks) return undefined;
    const fields = new Fields(value, path, this.#findings);
    const id = readId(fields, 'task');
    const type = readType(fields);
    readCommon(fields);
    if (id === undefined) return undefined;
    // The converted text goes back into the task, so that everything after can rely on it.
    const task: Task = Object.assign(value, { id, type: type ?? '' });
    this.#readChildren(task, path);
    return task;
  }

  #readChildren(task: Task, path: Path): void {
    for (const list of writtenChildren(task)) {
      for (const item of list.items) this.readTask(item.task, [...path, ...item.path]);
    }
  }
}

export function readId(fields: Fields, what: 'task' | 'trigger'): string | undefined {
  const id = fields.requiredText('id');
  if (id !== undefined && !idPattern.test(id)) {
    fields.wrong(
      'id',
      `a ${what} id of letters and digits and "-" and "_" that starts with a letter or digit`,
    );
  }
  return id;
}

export function readType(fields: Fields): string | undefined {
  const type = fields.requiredText('type');
  if (type !== undefined && !typePattern.test(type)) {
    fields.findings.error(fields.at('type'), `Invalid type: ${type}`);
  }
  return type;
}

function readCommon(fields: Fields): void {
  for (const name of ['disabled', 'allowFailure', 'allowWarning', 'logToFile'] as const) {
    const flag = fields.flag(name);
    if (flag !== undefined) fields.data[name] = flag;
  }
  const runIf = fields.text('runIf');
  if (runIf !== undefined) fields.data.runIf = runIf;
  fields.text('description');
  fields.text('version');
  fields.renderedDuration('timeout');
  fields.oneOf('logLevel', logLevels);
  readRetry(fields);
  readWorkerGroup(fields, ['WAIT', 'FAIL', 'CANCEL']);
}

/** The worker group of a task or a trigger, and its fallback while no worker of the group is available. */
export function readWorkerGroup(owner: Fields, fallbacks: readonly string[]): void {
  readWorkerSelector(owner, fallbacks);
  const fields = owner.child('workerGroup');
  if (!fields) return;
  fields.refuseUnknown(new Set(['key', 'fallback']));
  if (fields.get('key') === undefined) fields.missing('key');
  else fields.text('key');
  fields.oneOf('fallback', fallbacks);
}

/**
 * `workerSelector` names workers by tags. A worker has one group, so a selector that needs one tag means the
 * group of that name; a selector that no single group can meet is refused.
 */
function readWorkerSelector(owner: Fields, fallbacks: readonly string[]): void {
  const fields = owner.child('workerSelector');
  if (!fields) return;
  fields.refuseUnknown(new Set(['tags', 'match', 'fallback', 'broadcast']));
  if (owner.get('workerGroup') !== undefined)
    owner.findings.error(owner.at('workerSelector'), 'Use either workerSelector or workerGroup, not both');
  const tags = fields.list('tags');
  if (tags?.length !== 1)
    fields.findings.error(fields.at('tags'), 'Exactly one tag is needed: the group of the workers');
  fields.oneOf('match', ['ALL', 'ANY']);
  fields.oneOf('fallback', fallbacks);
  if (fields.flag('broadcast'))
    fields.findings.error(fields.at('broadcast'), 'A task runs on one worker, not on all of a group');
}
