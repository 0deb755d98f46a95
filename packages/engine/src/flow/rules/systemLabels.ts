import type { Flow } from '@millrace/contract';
import { systemLabelPrefix } from '@millrace/contract';
import type { PlacedTask } from '../children.ts';
import type { Findings } from '../findings.ts';
import type { Path } from '../path.ts';
import { subflowTarget } from '../subflowTarget.ts';
import { writtenIndex } from '../written.ts';

/** [E124] Only the product sets labels that start with `system.`; a flow may make itself read-only. */
export function checkSystemLabels(flow: Flow, tasks: readonly PlacedTask[], findings: Findings): void {
  const reserved = systemKeys(flow.labels).filter((key) => key !== 'system.readOnly');
  if (reserved.length > 0) {
    findings.flowError(['labels'], `System labels can only be set by the product: ${reserved.join(' ')}`);
  }
  const refuse = (labels: unknown, path: Path): void => {
    const keys = systemKeys(labels);
    if (keys.length > 0) {
      findings.error([...path, 'labels'], `System labels can only be set by the product: ${keys.join(' ')}`);
    }
  };
  flow.sla?.forEach((sla, index) => {
    refuse(sla.labels, ['sla', writtenIndex(sla, index)]);
  });
  flow.triggers?.forEach((trigger, index) => {
    refuse(trigger.labels, ['triggers', writtenIndex(trigger, index)]);
  });
  for (const { task, path } of tasks) if (subflowTarget(task)) refuse(task.labels, path);
}

/** Labels as written: a map, or a list of keys and values. */
function systemKeys(labels: unknown): string[] {
  if (typeof labels !== 'object' || labels === null) return [];
  const keys = Array.isArray(labels) ? labels.map((label: unknown) => keyOf(label)) : Object.keys(labels);
  return keys.filter((key) => key.startsWith(systemLabelPrefix));
}

const keyOf = (label: unknown): string =>
  typeof label === 'object' && label !== null && 'key' in label ? String(label.key) : '';
