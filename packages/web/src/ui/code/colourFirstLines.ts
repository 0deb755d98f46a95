import type { editor } from 'monaco-editor/editor';

/** More than a screen is high. */
const FIRST_LINES = 100;

/** What Monaco's own parts know of a text beyond what is written down for others. */
interface TokenizedModel extends editor.ITextModel {
  readonly tokenization?: { forceTokenization?(line: number): void };
}

/**
 * Has what comes into sight first in its colours from the first picture on. By itself Monaco waits for a moment of rest
 * with them, which a page that has just opened does not have.
 */
export function colourFirstLines(model: editor.ITextModel): void {
  tokenizeUpTo(model, Math.min(FIRST_LINES, model.getLineCount()));
}

/** Tokenizes what is not yet tokenized up to a line, without waiting for an idle moment. */
export function tokenizeUpTo(model: editor.ITextModel, line: number): void {
  (model as TokenizedModel).tokenization?.forceTokenization?.(line);
}
