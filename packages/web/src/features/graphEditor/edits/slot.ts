import type { Path } from '@millrace/engine';

/** A task or a trigger of a flow; a trigger may have the id of a task. */
export interface Part {
  readonly kind: 'task' | 'trigger';
  readonly id: string;
}

export type FlowBranch = 'tasks' | 'errors' | 'finally' | 'afterExecution' | 'triggers';

/**
 * A place where an element can be inserted, named by its neighbors and not by positions, so that it stays right while
 * the text changes.
 */
export type Slot =
  | { readonly at: 'before' | 'after'; readonly part: Part }
  /** The end of a list inside a container: `['then']`, `['cases', 'open']`. */
  | { readonly at: 'inside'; readonly id: string; readonly branch: Path }
  /** The end of a list of the flow itself. */
  | { readonly at: 'flow'; readonly branch: FlowBranch }
  /** A dependency inside a Dag; without `from` the first tasks, without `to` the end. */
  | { readonly at: 'link'; readonly dag: string; readonly from?: string; readonly to?: string };

export const keyOf = (slot: Slot): string => JSON.stringify(slot);

/** What a slot takes: only triggers stand in the list of triggers. */
export const kindOf = (slot: Slot): Part['kind'] => {
  if (slot.at === 'before' || slot.at === 'after') return slot.part.kind;
  return slot.at === 'flow' && slot.branch === 'triggers' ? 'trigger' : 'task';
};
