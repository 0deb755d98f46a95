import { parse } from 'yaml';

export interface FrontMatter {
  readonly data: unknown;
  /** The text below it, without blank lines around. */
  readonly body: string;
}

/** Splits a text into the YAML between its first two lines of `---` and what follows. */
export function readFrontMatter(text: string): FrontMatter {
  const match = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return { data: {}, body: text.trim() };
  return { data: parse(match[1] ?? ''), body: text.slice(match[0].length).trim() };
}
