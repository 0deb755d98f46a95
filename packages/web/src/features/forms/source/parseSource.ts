import { LineCounter, type ParsedNode, parseDocument } from 'yaml';

let last: { readonly source: string; readonly root: ParsedNode | null } | undefined;

/**
 * The nodes of a text with their places. The last result is kept, because one edit reads the same text several times
 * and a long one takes a while. Callers must not change the nodes.
 */
export function parseSource(source: string): ParsedNode | null {
  if (last?.source === source) return last.root;
  const { contents } = parseDocument(source, {
    keepSourceTokens: true,
    schema: 'failsafe',
    uniqueKeys: false,
    lineCounter: new LineCounter(),
  });
  // `as`: a parsed document has parsed nodes.
  last = { source, root: contents as ParsedNode | null };
  return last.root;
}
