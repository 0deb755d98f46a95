import { type ControlType, controlTypeOf } from '../flow/controlType.ts';
import { shortType } from '../flow/typeName.ts';
import { exit, labels, setVariables, unsetVariables } from './acting.ts';
import { ifElse, switchCase } from './choice.ts';
import type { Acting, Control } from './control.ts';
import { dag } from './dag.ts';
import { eachParallel, eachSequential, forEach } from './each.ts';
import { forEachItem, items, itemsType } from './forEachItem.ts';
import { loopUntil } from './loopUntil.ts';
import { parallel } from './parallel.ts';
import { pause } from './pause.ts';
import { allowFailure, sequential } from './sequential.ts';
import { subflow } from './subflow.ts';
import { template } from './template.ts';
import { workingDirectory } from './workingDirectory.ts';

export type { Control } from './control.ts';

const controls: Readonly<Record<ControlType, Control>> = {
  'core.flow.Sequential': sequential,
  'core.flow.Parallel': parallel,
  'core.flow.Dag': dag,
  'core.flow.If': ifElse,
  'core.flow.Switch': switchCase,
  'core.flow.ForEach': forEach,
  'core.flow.EachSequential': eachSequential,
  'core.flow.EachParallel': eachParallel,
  'core.flow.LoopUntil': loopUntil,
  'core.flow.Pause': pause,
  'core.flow.WorkingDirectory': workingDirectory,
  'core.flow.AllowFailure': allowFailure,
  'core.flow.Subflow': subflow,
  'core.flow.ForEachItem': forEachItem,
  'core.flow.Template': template,
};

/** Tasks that change the execution itself; no worker is needed for them. */
const acting: ReadonlyMap<string, Acting> = new Map([
  ['core.execution.Exit', exit],
  ['core.execution.Labels', labels],
  ['io.kestra.core.tasks.executions.Labels', labels],
  ['core.execution.SetVariables', setVariables],
  ['core.execution.UnsetVariables', unsetVariables],
]);

/** The control of a type as its author wrote it; undefined for tasks that workers run. */
export function controlOf(type: string): Control | undefined {
  const control = controlTypeOf(type);
  if (control) return controls[control];
  return type === itemsType ? items : acting.get(shortType(type));
}
