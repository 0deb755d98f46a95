import { parseSync } from 'vite';

/** What a source file says in words: texts that may be keys, and words that reach the screen as they stand. */
export interface SourceTexts {
  /** Plain strings. */
  readonly texts: readonly string[];
  /** Template strings, their gaps as `*`. */
  readonly patterns: readonly string[];
  /** Words between tags and in properties that are shown or read out. */
  readonly shown: readonly string[];
}

/** Properties whose text a person meets. */
const shownProperties = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'confirm',
  'description',
  'error',
  'hint',
  'label',
  'placeholder',
  'text',
  'title',
]);
/** Code is the same in every language: one piece with a digit or a colon in it, such as `PT1H` or `key:value`. */
const isCode = (text: string): boolean => /^\S*[\d:]\S*$/.test(text.trim());
const isWord = (text: string): boolean => /\p{L}{2,}/u.test(text) && !isCode(text);

/** Reads them off the syntax tree: a search by pattern would stumble over types, comparisons and comments. */
export function readSourceTexts(file: string, code: string): SourceTexts {
  const found = { texts: [] as string[], patterns: [] as string[], shown: [] as string[] };
  walk(parseSync(file, code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).program, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') found.texts.push(node.value);
    if (node.type === 'TemplateLiteral') found.patterns.push(patternOf(node));
    if (node.type === 'JSXText' && isWord(String(node.value))) found.shown.push(String(node.value).trim());
    if (node.type === 'JSXAttribute') {
      const name = (node.name as Node).name;
      const value = node.value as Node | null;
      const text = value?.type === 'Literal' ? String(value.value) : '';
      if (shownProperties.has(String(name)) && isWord(text)) found.shown.push(text);
    }
  });
  return found;
}

interface Node {
  readonly type: string;
  readonly [property: string]: unknown;
}

function patternOf(node: Node): string {
  const quasis = node.quasis as readonly { value: { cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('*');
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value && typeof value.type === 'string') visit(value as Node);
    for (const item of Object.values(value)) walk(item, visit);
  }
}
