import { Button } from '@mantine/core';
import { flowDrafts } from '@millrace/contract';
import { IconCloudCheck, IconCloudOff, IconCloudUp, IconDeviceDesktop } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../../api/ApiError.ts';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import noteClasses from '../../../ui/DraftNote.module.css';
import { Hint } from '../../../ui/Hint.tsx';
import { DateAgo } from '../../../ui/index.ts';
import { draftRevisionsQuery } from '../drafts.ts';
import { type FlowKey, flowQuery } from '../queries.ts';
import styles from './serverDraft.module.css';

const icons = {
  browser: IconDeviceDesktop,
  saving: IconCloudUp,
  server: IconCloudCheck,
  offline: IconCloudOff,
} as const;

/** Says where the unsaved changes are safe. */
export function DraftState({ state, isConflict }: { state: ServerDraftState; isConflict: boolean }) {
  const { t } = useTranslation();
  const Icon = icons[state];
  return (
    <Hint label={t(`draftState.${state}Hint`)} multiline maw={300}>
      <span className={styles.state} data-conflict={isConflict || undefined} role="status">
        <Icon size={15} stroke={1.7} aria-hidden="true" />
        <span className={styles.text}>{t(isConflict ? 'draftState.conflict' : `draftState.${state}`)}</span>
      </span>
    </Hint>
  );
}

interface OfferedDraftProps {
  readonly flow: FlowKey;
  /** The text in the editor. */
  readonly source: string;
  /** The draft that a link opens at once. */
  readonly wanted: string | undefined;
  onOpen(draft: flowDrafts.DraftRevision): void;
}

/** Offers the newest draft that someone saved for this flow. */
export function OfferedDraft({ flow, source, wanted, onOpen }: OfferedDraftProps) {
  const { t } = useTranslation();
  const { data: drafts = [] } = useQuery(draftRevisionsQuery(flow));
  const [isHidden, setHidden] = useState(false);
  const asked = drafts.find(({ id }) => id === wanted);
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    if (asked) open(asked);
  }, [asked]);
  const [draft] = drafts;
  if (!draft || isHidden || asked || draft.source === source) return null;
  return (
    <div className={noteClasses.note} role="status">
      <span>
        {t('draftRevision.found')} {draft.message && <q>{draft.message}</q>}{' '}
        {draft.author && t('draftRevision.by', { author: draft.author })} <DateAgo value={draft.updated} />
      </span>
      <span className={noteClasses.actions}>
        <Button size="compact-sm" variant="default" onClick={() => onOpen(draft)}>
          {t('draftRevision.open')}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setHidden(true)}>
          {t('action.close')}
        </Button>
      </span>
    </div>
  );
}

/**
 * Where unsaved changes are kept: only in this browser, on the way to the server, on the server, or in this browser
 * until the server can be reached.
 */
type ServerDraftState = 'browser' | 'saving' | 'server' | 'offline';

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
  const [state, setState] = useState<ServerDraftState>('browser');
  const [isSettled, setSettled] = useState(false);
  /** Whether this editor put a draft on the server. */
  const isOwn = useRef(false);
  const client = useQueryClient();
  /** When the draft that the server has was updated, as far as this editor knows. */
  const replaced = useRef<string>(undefined);
  const sentText = useRef<string>(undefined);
  const sending = useRef<Promise<unknown>>(Promise.resolve());
  const { data, refetch } = useQuery({
    queryKey: ['flowDraft', currentTenant(), namespace, id],
    queryFn: ({ signal }) => call(flowDrafts.getFlowDraft, { params, signal, failures: 'handled' }),
    enabled: !isOff,
    retry: false,
    // Read once for each editor: later changes come from this editor, or are found when it writes its own.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const stored = data?.draft;
  const isKnown = stored === undefined || stored.source === flow.source || stored.source === changes?.source;
  /** A draft of another browser that the user has not decided on yet: it must not be overwritten. */
  const found = isSettled || isKnown ? undefined : stored;
  const canKeep = data?.isKept === true && !found;

  /** Sends the changes; false when another browser kept a draft that this editor does not know. */
  const send = async (sent: NonNullable<Keeping['changes']>): Promise<boolean> => {
    const before = sentText.current;
    sentText.current = sent.source;
    const body = { ...sent, replaces: replaced.current ?? stored?.updated ?? '' };
    try {
      const kept = await call(flowDrafts.putFlowDraft, { params, body, failures: 'handled' });
      replaced.current = kept.updated;
      isOwn.current = true;
      // Saved in another place meanwhile: the flow is read again, and both texts are offered.
      if (kept.flowRevision > sent.revision)
        void client.invalidateQueries({ queryKey: flowQuery(flow).queryKey, exact: true });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409)) throw error;
      const { draft } = (await refetch()).data ?? {};
      if (draft && draft.source !== before) return false;
      // Only the response to an earlier draft of this editor got lost.
      replaced.current = draft?.updated ?? '';
      return send(sent);
    }
  };
  const keep = useEffectEvent(async (signal: AbortSignal) => {
    // One after the other: each names the draft that it replaces.
    await sending.current.catch(() => undefined);
    if (signal.aborted || !changes || !canKeep) return;
    setState('saving');
    const sent = send(changes);
    sending.current = sent;
    try {
      const isKept = await sent;
      if (!isKept) {
        // The other draft is offered, as when the flow is opened; until then nothing is overwritten.
        replaced.current = undefined;
        setSettled(false);
      }
      if (!signal.aborted) setState(isKept ? 'server' : 'browser');
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
    replaced.current = '';
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
