import { useEffect } from 'react';
import { observable } from '../../../state/observable.ts';
import type { FlowKey } from '../queries.ts';

/** The flow in the editor, while it has changes that are not saved. */
export interface UnsavedFlow extends FlowKey {
  /** The revision that the changes are based on. */
  readonly revision: number;
  /** False when the text has errors, so that it cannot be saved. */
  readonly canSave: boolean;
  /** Resolves to true when the changes are saved, false when they are not (yet). */
  save(): Promise<boolean>;
}

const current = observable<UnsavedFlow | undefined>(undefined);

/** Every place that starts a flow asks here first, so that none runs an old revision without a word. */
export function useUnsavedFlow({ namespace, id }: FlowKey): UnsavedFlow | undefined {
  const flow = current.use();
  return flow?.namespace === namespace && flow.id === id ? flow : undefined;
}

/** Called by the editor in each drawing: the flow's changes and how to save them. */
export function useReportUnsaved(flow: UnsavedFlow | undefined): void {
  useEffect(() => current.set(flow));
  useEffect(() => () => current.set(undefined), []);
}
