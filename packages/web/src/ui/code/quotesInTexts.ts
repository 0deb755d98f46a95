import type { editor } from 'monaco-editor/editor';

const quotes = new Set(['"', "'", '`']);
const brackets = new Set(['(', '[']);
/** Letters before a quote that belong to a string of Python: `f"…"`. */
const stringPrefix = /(^|\W)([fbur]|[fb]r|r[fb])$/i;

interface OpenString {
  readonly quote: string;
  /** The part of the string before the cursor. */
  readonly content: string;
}

/**
 * Stops Monaco from closing quotes and brackets where a string is being typed. It knows strings by the tokens of a
 * language, and a script within YAML has none: the quote that ends `f"{name}"` would be taken for the start of another
 * string, and a bracket in a string for one of the code.
 */
export function keepQuotesOfTexts(code: editor.IStandaloneCodeEditor): void {
  let isKept = false;
  code.onKeyDown(({ browserEvent: { key } }) => {
    const shouldKeep = quotes.has(key) || brackets.has(key) ? isPartOfString(code, key) : false;
    if (shouldKeep === isKept) return;
    isKept = shouldKeep;
    const closing = shouldKeep ? 'never' : 'languageDefined';
    code.updateOptions({ autoClosingQuotes: closing, autoClosingBrackets: closing });
  });
}

function isPartOfString(code: editor.IStandaloneCodeEditor, key: string): boolean {
  const position = code.getPosition();
  const line = position && code.getModel()?.getLineContent(position.lineNumber);
  if (!line) return false;
  const open = openStringIn(line.slice(0, position.column - 1));
  if (!open) return false;
  // Within braces of a string stands code again: an expression of the flow, or of an f-string.
  const isCode = open.content.lastIndexOf('{') > open.content.lastIndexOf('}');
  return quotes.has(key) ? key === open.quote : !isCode;
}

/** The string of a line that has no end yet. An apostrophe within a word starts none. */
export function openStringIn(line: string): OpenString | undefined {
  let start: number | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? '';
    if (start !== undefined && character === '\\') index += 1;
    else if (!quotes.has(character)) continue;
    else if (start === undefined) {
      const before = line.slice(0, index);
      if (!/\w$/.test(before) || stringPrefix.test(before)) start = index;
    } else if (character === line[start]) start = undefined;
  }
  return start === undefined ? undefined : { quote: line[start] ?? '', content: line.slice(start + 1) };
}
