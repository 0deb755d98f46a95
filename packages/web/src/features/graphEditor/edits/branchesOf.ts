import type { Task } from '@millrace/contract';
import { controlTypeOf, type Path } from '@millrace/engine';
import { freeName } from '../../forms/schema/index.ts';
import { isMap } from '../../forms/source/index.ts';
import { bodyOf } from './flowText.ts';

/** A list of a container that takes tasks. */
export interface Branch {
  readonly path: Path;
  /** A case that is not there yet. */
  readonly isNew?: boolean;
}

/** Every list that a container has or can have. */
export function branchesOf(task: Task): Branch[] {
  const body = bodyOf(task.type);
  if (!body) return [];
  const common: Branch[] = [{ path: ['errors'] }, { path: ['finally'] }];
  switch (controlTypeOf(task.type)) {
    case 'core.flow.If':
      return [{ path: ['then'] }, { path: ['else'] }, ...common];
    case 'core.flow.Switch': {
      const cases = Object.keys(isMap(task.cases) ? task.cases : {});
      const added = freeName('case_1', new Set(cases));
      return [
        ...cases.map((name) => ({ path: ['cases', name] })),
        { path: ['cases', added], isNew: true },
        { path: ['defaults'] },
        ...common,
      ];
    }
    default:
      return [{ path: body }, ...common];
  }
}
