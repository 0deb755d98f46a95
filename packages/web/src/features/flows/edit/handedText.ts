import type { StorageKey } from '../../../storage/storage.ts';
import type { FlowKey } from '../queries.ts';
import { dropFlowDraft, newDraftKey, writeFlowDraft } from './flowDraft.ts';

/*
 * The first save of a new flow opens the page of the flow. The author types on meanwhile: each text until that page is
 * there is handed to it, and kept as a draft in case it never opens.
 */
interface HandedText {
  readonly flow: FlowKey & { readonly revision: number };
  readonly key: StorageKey;
  text: string;
}

let handed: HandedText | undefined;

export function beginHandOver({ namespace, id, revision }: HandedText['flow'], text: string): void {
  const flow = { namespace, id, revision };
  handed = { flow, key: newDraftKey(flow), text };
}

/** Nothing happens unless a hand-over has begun. */
export function handOn(text: string): void {
  if (!handed) return;
  handed.text = text;
  writeFlowDraft(handed.key, { source: text, revision: handed.flow.revision });
}

/** The text that the page of a new flow was handed, for the page of that flow. */
export function handedText({ namespace, id }: FlowKey): string | undefined {
  const isFor = handed?.flow.namespace === namespace && handed.flow.id === id;
  return isFor ? handed?.text : undefined;
}

/** Call when the page of the flow is there. Returns the text as it was last. */
export function endHandOver(flow: FlowKey): string | undefined {
  const text = handedText(flow);
  if (handed && text !== undefined) {
    dropFlowDraft(handed.key);
    handed = undefined;
  }
  return text;
}

let wantedRun: (FlowKey & { readonly isQuick: boolean }) | undefined;

/** The page of the flow executes it when it opens; never by a link, which would execute it again on the way back. */
export function handRun(run: FlowKey & { readonly isQuick: boolean }): void {
  wantedRun = run;
}

export function takeHandedRun({ namespace, id }: FlowKey): { readonly isQuick: boolean } | undefined {
  const run = wantedRun;
  wantedRun = undefined;
  return run?.namespace === namespace && run.id === id ? run : undefined;
}
