import type { Flow, PluginDefault } from '@millrace/contract';
import type { Catalogue } from '../catalogue.ts';
import { placedTasks } from './children.ts';
import type { Findings } from './findings.ts';
import { checkControlTasks } from './rules/controlTasks.ts';
import { checkInputs } from './rules/inputs.ts';
import { checkRecursion } from './rules/recursion.ts';
import { checkSystemLabels } from './rules/systemLabels.ts';
import { checkTriggers } from './rules/triggers.ts';
import { checkTypes } from './rules/types.ts';
import { checkUniqueIds } from './rules/uniqueIds.ts';

export interface ValidateOptions {
  readonly catalogue?: Catalogue;
  readonly globalDefaults?: readonly PluginDefault[];
}

/** Applies every rule that needs the whole flow. Shapes and single properties were checked while reading. */
export function validateFlow(flow: Flow, findings: Findings, options: ValidateOptions = {}): void {
  const tasks = placedTasks(flow);
  checkUniqueIds(flow, tasks, findings);
  checkRecursion(flow, tasks, findings);
  checkInputs(flow.inputs ?? [], ['inputs'], findings);
  checkSystemLabels(flow, tasks, findings);
  checkControlTasks(tasks, findings);
  checkTriggers(flow, findings);
  // Last, because it repeats nothing that the rules above have said.
  if (options.catalogue) checkTypes(flow, options.catalogue, options, findings);
}
