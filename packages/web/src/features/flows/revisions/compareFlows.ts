import { diffFlows, parseFlow } from '@millrace/engine';

/** Both texts as flows and what changed between them; undefined when one of them is no flow. */
export function compareFlows(before: string, after: string) {
  const [old, fresh] = [parseFlow(before).flow, parseFlow(after).flow];
  return old && fresh ? { before: old, after: fresh, changes: diffFlows(old, fresh) } : undefined;
}
