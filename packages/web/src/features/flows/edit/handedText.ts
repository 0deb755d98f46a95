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
  /** The author asked to save the text, which has changed since the first save. */
  wantsSave: boolean;
}

let handed: HandedText | undefined;

export function beginHandOver({ namespace, id, revision }: HandedText['flow'], text: string): void {
  const flow = { namespace, id, revision };
  handed = { flow, key: newDraftKey(flow), text, wantsSave: false };
}

/** Nothing happens unless a hand-over has begun. */
export function handOn(text: string): void {
  if (!handed) return;
  handed.text = text;
  writeFlowDraft(handed.key, { source: text, revision: handed.flow.revision });
}

/** The page of the flow saves the text when it opens. Nothing happens unless a hand-over has begun. */
export function handSave(): void {
  if (handed) handed.wantsSave = true;
}

/** The text that the page of a new flow was handed, for the page of that flow. */
export function handedText({ namespace, id }: FlowKey): string | undefined {
  const isFor = handed?.flow.namespace === namespace && handed.flow.id === id;
  return isFor ? handed?.text : undefined;
}

/** Call when the page of the flow is there. Returns the text as it was last, and whether to save it. */
export function endHandOver(flow: FlowKey): Pick<HandedText, 'text' | 'wantsSave'> | undefined {
  if (!handed || handedText(flow) === undefined) return undefined;
  const { key, text, wantsSave } = handed;
  dropFlowDraft(key);
  handed = undefined;
  return { text, wantsSave };
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
