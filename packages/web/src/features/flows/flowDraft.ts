import { useEffect, useRef } from 'react';
import { z } from 'zod';
import { currentTenant } from '../../api/tenant.ts';
import { readStored, writeStored } from '../../storage/storage.ts';

/** A new flow that was left unsaved. */
const FlowDraft = z.object({ source: z.string().min(1), at: z.iso.datetime() });
export type FlowDraft = z.infer<typeof FlowDraft>;

const pauseMs = 400;
const key = () => `draft:flow:${currentTenant() ?? ''}` as const;

export function readFlowDraft(): FlowDraft | undefined {
  const stored = readStored(key());
  if (stored === undefined) return undefined;
  try {
    return FlowDraft.parse(JSON.parse(stored));
  } catch {
    // Written by something else: what cannot be read is no draft.
    return undefined;
  }
}

export const dropFlowDraft = (): void => writeStored(key(), undefined);

/** Keeps what is being written, a moment after the last key and when the page is left. Returns how to keep it now. */
export function useKeepFlowDraft(source: string, isUnsaved: () => boolean): () => void {
  const keep = useRef(() => {});
  useEffect(() => {
    keep.current = () => {
      if (isUnsaved()) writeStored(key(), JSON.stringify({ source, at: new Date().toISOString() }));
    };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the text is the reason to keep it.
  useEffect(() => {
    const timer = setTimeout(() => keep.current(), pauseMs);
    return () => clearTimeout(timer);
  }, [source]);
  useEffect(() => {
    const leave = () => keep.current();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return () => keep.current();
}
