import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import type { FlowQueryData } from '../queries.ts';
import { isReadOnly } from '../queries.ts';
import {
  dropFlowDraft,
  type FlowDraft,
  listFlowDrafts,
  newDraftKey,
  type StoredDraft,
  useSaveFlowDraft,
  writeFlowDraft,
} from './flowDraft.ts';
import { endHandOver, handedText } from './handedText.ts';

interface Base {
  /** Undefined when only its number is known: a draft can be based on a revision that is not the latest any more. */
  readonly source: string | undefined;
  readonly revision: number;
}

/**
 * The text of a flow while it is edited, and the revision that the edit is based on. A newer revision replaces a text
 * that has no changes; a changed text stays and is then outdated. The latest draft of the flow is restored.
 */
export function useFlowText(flow: FlowQueryData) {
  const newest = { source: flow.source ?? '', revision: flow.revision };
  const [found] = useState(() => readDrafts(flow));
  const [others, setOthers] = useState(() => found.others);
  const [restored, setRestored] = useState<FlowDraft | undefined>(found.latest);
  const [base, setBase] = useState<Base>(() => baseOf(restored, newest));
  const [source, setSource] = useState(found.handed ?? restored?.source ?? newest.source);
  /** The text of a save that has no response yet. */
  const [sent, setSent] = useState(restored?.sent);
  const [saveAgain, setSaveAgain] = useState(false);
  const isDirty = source !== base.source;
  if (newest.revision !== base.revision && (!isDirty || source === newest.source)) {
    setBase(newest);
    setSource(newest.source);
  }
  const current = isDirty ? { source, revision: base.revision, sent } : undefined;
  const draft = useSaveFlowDraft({ flow, draft: current, replaces: found.latest?.key });
  useEffect(() => {
    for (const { key } of found.saved) dropFlowDraft(key);
  }, [found]);
  const takeHanded = useEffectEvent(() => {
    const last = endHandOver(flow);
    if (!last) return;
    setSource(last.text);
    setSaveAgain(last.wantsSave);
  });
  // The page before is gone only now: it was typed into while this one was rendered.
  useLayoutEffect(() => takeHanded(), []);
  /** The text of the editor and the other draft change places, so that neither is lost. */
  const exchange = (other: StoredDraft) => {
    writeFlowDraft(draft.key, other);
    if (current) writeFlowDraft(other.key, current);
    else dropFlowDraft(other.key);
    const left = current ? [{ ...current, at: new Date().toISOString(), key: other.key }] : [];
    setOthers((known) => [...left, ...known.filter(({ key }) => key !== other.key)]);
    setRestored(other);
    setBase(baseOf(other, newest));
    setSource(other.source);
    setSent(other.sent);
  };
  return {
    source,
    setSource,
    isDirty,
    revision: base.revision,
    isOutdated: newest.revision > base.revision,
    /** The draft that the text came from, until it is saved or discarded. */
    restored: isDirty ? restored : undefined,
    /** Drafts of other tabs and of earlier visits. */
    others: others.filter((other) => other.source !== source && other.source !== newest.source),
    keepDraft: draft.keep,
    /** The text is to be saved once more: it has changed since the save that ran when the author asked for another. */
    saveAgain,
    setSaveAgain,
    discard: () => {
      setBase(newest);
      setSource(newest.source);
      setSent(undefined);
      setRestored(undefined);
    },
    exchange,
    /** A draft that is kept elsewhere becomes the text; the present one becomes another draft. */
    adopt: (other: Omit<FlowDraft, 'tab'>) => exchange({ ...other, key: newDraftKey(flow) }),
    discardOther: ({ key }: StoredDraft) => {
      dropFlowDraft(key);
      setOthers((known) => known.filter((other) => other.key !== key));
    },
    markSent: setSent,
    /** A text that has the changes of the newest revision too; it is edited on as a change of that revision. */
    takeMerged: (merged: string, revision: { source: string; revision: number }) => {
      setBase(revision);
      setSource(merged);
      setSent(undefined);
      setRestored(undefined);
    },
    /** The saved text is the base of the next edit. */
    takeSaved: (saved: { source: string; revision: number }) => {
      setBase(saved);
      setSent(undefined);
      setRestored(undefined);
    },
  };
}

/** Drafts that say the same as the flow were saved, and only their response got lost. */
function readDrafts(flow: FlowQueryData) {
  const handed = handedText(flow);
  const drafts = isReadOnly(flow) ? [] : listFlowDrafts(flow).filter(({ source }) => source !== handed);
  const isSaved = ({ source }: FlowDraft) => source === flow.source;
  const unsaved = drafts.filter((draft) => !isSaved(draft));
  const saved = drafts.filter(isSaved);
  // The page before handed its text over: no draft takes its place.
  if (handed !== undefined) return { saved, handed, latest: undefined, others: unsaved };
  return { saved, handed, latest: unsaved[0], others: unsaved.slice(1) };
}

/** A save whose response got lost made its text the newest revision: the draft is based on that one. */
function baseOf(draft: FlowDraft | undefined, newest: { source: string; revision: number }): Base {
  const isBasedOnNewest = draft?.revision === newest.revision || draft?.sent === newest.source;
  return draft?.revision === undefined || isBasedOnNewest
    ? newest
    : { source: undefined, revision: draft.revision };
}
