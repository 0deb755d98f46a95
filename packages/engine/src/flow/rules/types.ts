import type { Flow, PluginDefault } from '@millrace/contract';
import type { Catalogue, TypeInfo, TypeKind } from '../../catalogue.ts';
import { triggerTypeOf } from '../../schedule/triggerType.ts';
import { placedTasks } from '../children.ts';
import { applyDefaults } from '../defaults.ts';
import type { Findings } from '../findings.ts';
import { formatPath, joinPath, type Path, parsePath } from '../path.ts';
import { isData } from '../read/fields.ts';
import { commonTaskProperties } from '../read/readTask.ts';
import { commonTriggerProperties } from '../read/readTriggers.ts';
import { shortType } from '../typeName.ts';
import { writtenIndex } from '../written.ts';

/** [E110] Every type exists and its properties are valid, plugin defaults included. */
export function checkTypes(
  written: Flow,
  catalogue: Catalogue,
  options: { readonly globalDefaults?: readonly PluginDefault[] },
  findings: Findings,
): void {
  const checker = new TypeChecker(catalogue, findings);
  checkDefaults(written, checker);
  const flow = applyDefaults(written, options);
  for (const { task, path } of placedTasks(flow)) {
    checker.check(task, 'task', path, commonTaskProperties);
    if (isData(task.taskRunner)) checker.checkNested(task.taskRunner, 'taskRunner', [...path, 'taskRunner']);
  }
  flow.triggers?.forEach((trigger, index) => {
    const path = ['triggers', writtenIndex(written.triggers?.[index], index)];
    checker.check(trigger, 'trigger', path, commonTriggerProperties);
    checker.checkConditions(trigger.conditions, [...path, 'conditions']);
    if (triggerTypeOf(trigger.type) === 'core.trigger.Schedule')
      checker.warnOfExecutions(trigger.conditions, [...path, 'conditions']);
  });
  flow.listeners?.forEach((listener, index) => {
    checker.checkConditions(listener.conditions, ['listeners', index, 'conditions']);
  });
}

/** [E151] A default for one exact type holds only properties of that type. */
function checkDefaults(flow: Flow, checker: TypeChecker): void {
  flow.pluginDefaults?.forEach((entry, index) => {
    checker.checkGiven(entry.type, entry.values, ['pluginDefaults', index, 'values']);
  });
}

type Data = Readonly<Record<string, unknown>>;

/** Whether there is a value at the path: a default may leave out properties that the task sets. */
function isGiven(value: unknown, path: Path): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return value !== undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return false;
  // `as`: the line above has checked that the key exists.
  return isGiven((value as Readonly<Record<PropertyKey, unknown>>)[first], rest);
}

class TypeChecker {
  readonly #catalogue: Catalogue;
  readonly #findings: Findings;
  readonly #known: Set<string>;

  constructor(catalogue: Catalogue, findings: Findings) {
    this.#catalogue = catalogue;
    this.#findings = findings;
    this.#known = new Set(findings.all.filter((f) => f.severity === 'error').map((f) => f.path));
  }

  check(definition: Data, kind: TypeKind, path: Path, common: ReadonlySet<string>): void {
    const info = this.#find(definition.type, kind, path);
    if (!info) return;
    const own = Object.fromEntries(Object.entries(definition).filter(([name]) => !common.has(name)));
    this.#report(info.check(own), path, () => true);
  }

  checkNested(definition: Data, kind: TypeKind, path: Path): void {
    this.check(definition, kind, path, new Set(['type']));
  }

  checkConditions(conditions: unknown, path: Path): void {
    const entries = Array.isArray(conditions)
      ? [...conditions.entries()]
      : isData(conditions)
        ? Object.entries(conditions)
        : [];
    for (const [key, condition] of entries) {
      if (!isData(condition)) continue;
      const place = [...path, key];
      this.checkNested(condition, 'condition', place);
      this.checkConditions(condition.conditions, [...place, 'conditions']);
    }
  }

  /** A schedule decides before there is an execution, so a condition about one is an error at every date. */
  warnOfExecutions(conditions: unknown, path: Path): void {
    if (!Array.isArray(conditions)) return;
    for (const [index, condition] of conditions.entries()) {
      if (!isData(condition)) continue;
      const place = [...path, index];
      if (this.#catalogue.find(String(condition.type))?.onSchedule === false)
        this.#findings.warning(
          place,
          `"${String(condition.type)}" looks at an execution, and a schedule has none`,
        );
      this.warnOfExecutions(condition.conditions, [...place, 'conditions']);
    }
  }

  /** Checks only the given properties; the other properties of the type come from the task. */
  checkGiven(type: string, values: Data, path: Path): void {
    const info = this.#catalogue.find(type);
    if (!info) return;
    const common = info.kind === 'trigger' ? commonTriggerProperties : commonTaskProperties;
    const own = Object.fromEntries(Object.entries(values).filter(([name]) => !common.has(name)));
    this.#report(info.check(own), path, (issuePath) => isGiven(own, parsePath(issuePath) ?? []));
  }

  #find(type: unknown, kind: TypeKind, path: Path): TypeInfo | undefined {
    if (typeof type !== 'string' || type === '') return undefined;
    const info = this.#catalogue.find(type);
    if (info?.kind !== kind) {
      const message = `Invalid type: ${type}${this.#suggestionFor(type, kind)}`;
      this.#add([...path, 'type'], message, 'error', info ? {} : { unknownType: shortType(type) });
      return undefined;
    }
    if (shortType(type) !== info.type) {
      this.#findings.info([...path, 'type'], `"${type}" is another name for "${info.type}"`);
    }
    if (info.deprecated) this.#findings.deprecation(path, `"${type}" is deprecated`);
    return info;
  }

  #suggestionFor(type: string, kind: TypeKind): string {
    const instead = this.#catalogue.insteadOf?.(type);
    if (instead !== undefined) return `; ${instead}`;
    const nearest = this.#catalogue.nearest?.(type, kind);
    return nearest === undefined ? '' : `; did you mean ${nearest}?`;
  }

  #report(issues: ReturnType<TypeInfo['check']>, base: Path, concerns: (path: string) => boolean): void {
    for (const issue of issues) {
      if (!concerns(issue.path)) continue;
      const full = parsePath(joinPath(formatPath(base), issue.path)) ?? base;
      if (issue.severity === 'error' || issue.severity === 'warning')
        this.#add(full, issue.message, issue.severity, onlyIf(issue.unknownType));
      else this.#findings.add(issue.severity, full, issue.message);
    }
  }

  /** A property with a finding from reading gets no second one. */
  #add(
    path: Path,
    message: string,
    severity: 'error' | 'warning' = 'error',
    more: { unknownType?: string } = {},
  ): void {
    const key = formatPath(path);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#findings.add(severity, path, message, more);
  }
}

const onlyIf = (unknownType: string | undefined) => (unknownType === undefined ? {} : { unknownType });
