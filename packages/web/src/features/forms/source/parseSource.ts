import { readYaml } from '@millrace/engine';
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

let lastRead: { readonly source: string; readonly data: unknown } | undefined;

/** The data of a text; undefined for one that is no YAML. The last result is kept: edits ask for it several times. */
export function readYamlData(source: string): unknown {
  if (lastRead?.source === source) return lastRead.data;
  const reading = readYaml(source);
  lastRead = { source, data: 'problem' in reading ? undefined : reading.data };
  return lastRead.data;
}
