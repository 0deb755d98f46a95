import { useState } from 'react';
import type { FlowQueryData } from '../queries.ts';

/**
 * The text of a flow while it is edited, and the revision that the edit began with. A newer revision replaces a text
 * that nobody has changed; a changed one is kept, and is then out of date.
 */
export function useFlowText(flow: FlowQueryData) {
  const newest = { source: flow.source ?? '', revision: flow.revision };
  const [base, setBase] = useState(newest);
  const [source, setSource] = useState(newest.source);
  const isDirty = source !== base.source;
  if (newest.revision !== base.revision && (!isDirty || source === newest.source)) {
    setBase(newest);
    setSource(newest.source);
  }
  return {
    source,
    setSource,
    isDirty,
    revision: base.revision,
    isOutdated: newest.revision > base.revision,
    reset: () => setSource(base.source),
    /** What was saved is what the next edit begins with. */
    takeSaved: (saved: { source: string; revision: number }) => setBase(saved),
  };
}
