import { useEffect, useEffectEvent, useState } from 'react';
import { z } from 'zod';
import { currentTenant } from '../../../api/tenant.ts';
import { listStored, readStored, type StorageKey, writeStored } from '../../../storage/storage.ts';
import { randomName, tabId } from '../../../storage/uid.ts';
import type { FlowKey } from '../queries.ts';

/*
 * The text of a flow that is being edited, kept in the browser until it is saved or discarded. Each open editor keeps
 * its text under its own key, so that two tabs with the same flow never overwrite each other's text. The next editor of
 * the flow takes a draft over; an editor that still holds the text keeps it again.
 */
const FlowDraft = z.object({
  source: z.string().min(1),
  at: z.iso.datetime(),
  /** The revision that the edit is based on. */
  revision: z.number().int().optional(),
  /** A text that was sent and whose response has not arrived: the server may have saved it. */
  sent: z.string().optional(),
  /** The browser tab that wrote it. */
  tab: z.string().optional(),
});
export type FlowDraft = z.infer<typeof FlowDraft>;

export interface StoredDraft extends FlowDraft {
  readonly key: StorageKey;
}

const pauseMs = 400;
const prefixOf = () => `draft:flow:${currentTenant() ?? ''}` as const;
const scopeOf = (flow: FlowKey | undefined) =>
  `${prefixOf()}:${flow ? `${flow.namespace}/${flow.id}` : ''}:` as const;

/** The drafts of a flow, or of flows that are not saved yet: those of this browser tab first, then the newest. */
export function listFlowDrafts(flow?: FlowKey): StoredDraft[] {
  // Earlier versions kept one draft of a new flow under the prefix itself.
  const earlier = flow ? [] : [prefixOf()];
  const isOwn = (draft: FlowDraft) => Number(draft.tab === tabId());
  return [...listStored(scopeOf(flow)), ...earlier]
    .flatMap((key) => {
      const draft = readDraft(key);
      return draft ? [{ ...draft, key }] : [];
    })
    .sort((a, b) => isOwn(b) - isOwn(a) || b.at.localeCompare(a.at));
}

export function writeFlowDraft(key: StorageKey, draft: Omit<FlowDraft, 'at' | 'tab'>): void {
  const { source, revision, sent } = draft;
  const at = new Date().toISOString();
  writeStored(key, JSON.stringify({ source, revision, sent, at, tab: tabId() }));
}

export const dropFlowDraft = (key: StorageKey): void => writeStored(key, undefined);

export const newDraftKey = (flow: FlowKey): StorageKey => `${scopeOf(flow)}${randomName()}`;

interface Keeping {
  /** The flow that is edited; none for a new one. */
  readonly flow?: FlowKey | undefined;
  /** Undefined while there is nothing to keep. */
  readonly draft: Omit<FlowDraft, 'at' | 'tab'> | undefined;
  /** The draft that was taken over; it is dropped once its text is kept here. */
  readonly replaces?: StorageKey | undefined;
}

/** Keeps the text of this editor a moment after each change and when the page is left. */
export function useSaveFlowDraft({ flow, draft, replaces }: Keeping) {
  const scope = scopeOf(flow);
  const [name] = useState(randomName);
  const key: StorageKey = `${scope}${name}`;
  const keep = () => {
    if (draft) writeFlowDraft(key, draft);
  };
  const keepNow = useEffectEvent(keep);
  const keepOrDrop = useEffectEvent(() => (draft ? keep() : dropFlowDraft(key)));
  useEffect(() => {
    if (!replaces) return;
    keepNow();
    dropFlowDraft(replaces);
  }, [replaces]);
  const { source, revision, sent } = draft ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the draft is the reason to keep it.
  useEffect(() => {
    const timer = setTimeout(() => keepOrDrop(), pauseMs);
    return () => clearTimeout(timer);
  }, [source, revision, sent]);
  useEffect(() => {
    const leave = () => keepNow();
    // Another tab took this draft over or discarded it, but this editor still holds the text.
    const follow = (event: StorageEvent) => void (event.key === key && event.newValue === null && keepNow());
    window.addEventListener('pagehide', leave);
    window.addEventListener('storage', follow);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('storage', follow);
      leave();
    };
  }, [key]);
  return { key, keep };
}

function readDraft(key: StorageKey): FlowDraft | undefined {
  const stored = readStored(key);
  if (stored === undefined) return undefined;
  try {
    return FlowDraft.parse(JSON.parse(stored));
  } catch {
    // A draft that cannot be read was written by something else.
    return undefined;
  }
}
