import type { Flow } from '@millrace/contract';
import type { PlacedTask } from '../children.ts';
import type { Findings } from '../findings.ts';
import { subflowTarget } from '../subflowTarget.ts';

/** [E121] A flow does not call itself directly. Longer cycles are caught by the limits at run time. */
export function checkRecursion(flow: Flow, tasks: readonly PlacedTask[], findings: Findings): void {
  for (const { task, path } of tasks) {
    const target = subflowTarget(task);
    if (target?.namespace !== flow.namespace || target.flowId !== flow.id) continue;
    findings.flowError([...path, 'flowId'], `Recursive call to flow [${flow.namespace}.${flow.id}]`);
  }
}
