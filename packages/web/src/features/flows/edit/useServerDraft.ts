import { flowDrafts } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../../api/ApiError.ts';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import type { FlowKey } from '../queries.ts';

/**
 * Where unsaved changes are kept: only in this browser, on the way to the server, on the server, or in this browser
 * until the server can be reached.
 */
export type DraftState = 'browser' | 'saving' | 'server' | 'offline';

interface Keeping {
  readonly flow: FlowKey & { readonly source?: string | undefined };
  /** The changes of this editor; undefined while there are none. */
  readonly changes: { readonly source: string; readonly revision: number } | undefined;
  readonly isOff: boolean;
}

const pauseMs = 1_500;

/** Keeps the changes of a user on the server too, so that another browser can continue them. */
export function useServerDraft({ flow, changes, isOff }: Keeping) {
  const { namespace, id } = flow;
  const params = { namespace, id };
  const [state, setState] = useState<DraftState>('browser');
  const [isSettled, setSettled] = useState(false);
  /** Whether this editor put a draft on the server. */
  const isOwn = useRef(false);
  const { data } = useQuery({
    queryKey: ['flowDraft', currentTenant(), namespace, id],
    queryFn: ({ signal }) => call(flowDrafts.getFlowDraft, { params, signal, failures: 'handled' }),
    enabled: !isOff,
    retry: false,
    // Read once for each editor: later changes come from this editor.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const stored = data?.draft;
  const isKnown = stored === undefined || stored.source === flow.source || stored.source === changes?.source;
  /** A draft of another browser that the user has not decided on yet: it must not be overwritten. */
  const found = isSettled || isKnown ? undefined : stored;
  const canKeep = data?.isKept === true && !found;

  const keep = useEffectEvent(async (signal: AbortSignal) => {
    if (!changes || !canKeep) return;
    setState('saving');
    try {
      await call(flowDrafts.putFlowDraft, { params, body: changes, signal, failures: 'handled' });
      isOwn.current = true;
      setState('server');
    } catch (error) {
      if (signal.aborted) return;
      setState(
        error instanceof ApiError && [0, 502, 503, 504].includes(error.status) ? 'offline' : 'browser',
      );
    }
  });
  const drop = useEffectEvent(() => {
    if (!isOwn.current && stored === undefined) return;
    isOwn.current = false;
    // A draft that stays behind says the same as the flow or is offered again; neither loses text.
    call(flowDrafts.deleteFlowDraft, { params, failures: 'handled' }).catch(() => undefined);
  });

  const source = changes?.source;
  const hadChanges = useRef(false);
  useEffect(() => {
    if (source === undefined) {
      if (hadChanges.current && canKeep) drop();
      hadChanges.current = false;
      setState('browser');
      return;
    }
    hadChanges.current = true;
    const stop = new AbortController();
    const timer = setTimeout(() => void keep(stop.signal), pauseMs);
    const again = () => void keep(stop.signal);
    window.addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', again);
      stop.abort();
    };
  }, [source, canKeep]);

  return {
    /** Undefined while there is nothing to keep. */
    state: changes && state,
    found,
    /** The user took the found draft over, or discarded it. */
    settle: (isDiscarded: boolean) => {
      setSettled(true);
      if (isDiscarded) drop();
    },
  };
}
