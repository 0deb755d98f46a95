import type { Part, Slot } from '../edits/slot.ts';

/** Everything that can be done with a task or trigger of the graph. */
export interface PartActions {
  /** Opens the form. */
  open(part: Part): void;
  /** Chooses a type and inserts a task of it. */
  add(slot: Slot): void;
  /** Lets the user choose a slot to move to. */
  move(part: Part): void;
  /** Moves one place up (-1) or down (1) in its list. */
  step(part: Part, step: -1 | 1): void;
  duplicate(part: Part): void;
  setDisabled(part: Part, isDisabled: boolean): void;
  /** Asks first when others use it or it contains tasks. */
  remove(part: Part): void;
  undo(): void;
  redo(): void;
}
