import { shortType } from './typeName.ts';

/** The tasks that the engine itself understands because they hold or start other tasks. */
export const controlTypes = [
  'core.flow.Sequential',
  'core.flow.Parallel',
  'core.flow.Dag',
  'core.flow.If',
  'core.flow.Switch',
  'core.flow.ForEach',
  'core.flow.EachSequential',
  'core.flow.EachParallel',
  'core.flow.LoopUntil',
  'core.flow.Pause',
  'core.flow.WorkingDirectory',
  'core.flow.AllowFailure',
  'core.flow.Subflow',
  'core.flow.ForEachItem',
  'core.flow.Template',
] as const;
export type ControlType = (typeof controlTypes)[number];

/** Other names, older and newer, that do not follow the one prefix rule of `shortType`. */
export const controlAliases: ReadonlyMap<string, ControlType> = new Map<string, ControlType>([
  ['core.flow.Loop', 'core.flow.ForEach'],
  ['core.flow.WaitFor', 'core.flow.LoopUntil'],
  ['core.flow.Flow', 'core.flow.Subflow'],
  ['core.flow.Worker', 'core.flow.WorkingDirectory'],
]);

const known: ReadonlySet<string> = new Set(controlTypes);
const isControlType = (type: string): type is ControlType => known.has(type);
const oldPrefix = 'io.kestra.core.tasks.flows.';

/** The control type behind a type as its author wrote it; undefined for every other task. */
export function controlTypeOf(type: string): ControlType | undefined {
  const short = type.startsWith(oldPrefix) ? `core.flow.${type.slice(oldPrefix.length)}` : shortType(type);
  return isControlType(short) ? short : controlAliases.get(short);
}
