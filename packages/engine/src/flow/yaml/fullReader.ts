import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type ParsedNode,
  Parser,
} from 'yaml';
import { explainProblem } from './explainProblem.ts';
import { limits } from './limits.ts';
import type { Entry, MapNode, Node, ScalarNode } from './node.ts';
import { YamlProblem } from './node.ts';
import { resolvePlain } from './scalar.ts';

/** Reads any YAML text through the `yaml` library. Throws a YamlProblem for the first thing wrong. */
export function readFully(text: string): Node {
  const document = compose(text);
  if (!document?.contents) return emptyScalar(0);
  return new Adapter(text).adapt(document.contents, 1);
}

const emptyScalar = (at: number): ScalarNode => ({
  kind: 'scalar',
  value: null,
  text: '',
  start: at,
  end: at,
});

function compose(text: string): Document.Parsed | undefined {
  try {
    return composeFirst(text);
  } catch (error) {
    if (error instanceof TooDeep) throw problemBefore(text, error.start) ?? error;
    throw error;
  }
}

/**
 * The parser nests the lines after a mistake ever deeper. So a document that seems too deep is read up to that line first:
 * a problem found there is the cause.
 */
function problemBefore(text: string, offset: number): YamlProblem | undefined {
  const before = text.slice(0, text.lastIndexOf('\n', offset) + 1).trimEnd();
  try {
    composeFirst(before);
  } catch (error) {
    // Brackets and quotes that are open at the end were only cut off.
    if (error instanceof YamlProblem && error.start < before.length - 1) return error;
  }
  return undefined;
}

function composeFirst(text: string): Document.Parsed | undefined {
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, strict: true });
  stopAtFirstError(composer, text);
  let first: Document.Parsed | undefined;
  for (const document of composer.compose(tokenize(text))) {
    const [error] = document.errors;
    if (error) throw explainProblem(text, error.code, error.message, error.pos);
    if (first) throw new YamlProblem('Only one document is expected here', document.range[0]);
    first = document;
  }
  return first;
}

function* tokenize(text: string) {
  const parser = new Parser();
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > limits.maxTokens) {
      throw new YamlProblem(`The document has more than ${limits.maxTokens} tokens`, 0);
    }
    for (const token of parser.next(lexeme)) yield checkDepth(token);
  }
  for (const token of parser.end()) yield checkDepth(token);
}

type Token = ReturnType<Parser['next']> extends Generator<infer T> ? T : never;

/** The composer recurses; a document too deep for it is refused here, where the walk needs no call stack. */
function checkDepth(token: Token): Token {
  const open: { value: unknown; depth: number }[] = [{ value: token, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    const inner = 'items' in value ? depth + 1 : depth;
    if (inner > limits.maxDepth) throw new TooDeep(offsetOf(value));
    if ('items' in value && Array.isArray(value.items)) {
      for (const item of value.items) {
        if (item?.key) open.push({ value: item.key, depth: inner });
        if (item?.value) open.push({ value: item.value, depth: inner });
      }
    } else if ('value' in value) open.push({ value: value.value, depth: inner });
  }
  return token;
}

class TooDeep extends YamlProblem {
  constructor(offset: number) {
    super(`The document nests deeper than ${limits.maxDepth} levels`, offset);
  }
}

const offsetOf = (value: object): number =>
  'offset' in value && typeof value.offset === 'number' ? value.offset : 0;

/**
 * The library collects every error of a text; a hostile one has a million, each with a stack trace. Its error
 * callback is an own property of the composer, which its types call private: replacing it stops at the first.
 */
function stopAtFirstError(composer: Composer, text: string): void {
  const opened = composer as unknown as {
    onError: (source: ErrorSource, code: string, message: string, warning?: boolean) => void;
  };
  let first: YamlProblem | undefined;
  opened.onError = (source, code, message, warning) => {
    if (warning) return;
    // The composer catches errors thrown inside a collection and reports them again for the whole collection.
    first ??= explainProblem(text, code, message, placeOf(source));
    throw first;
  };
}

function placeOf(source: ErrorSource): [start: number, end: number] {
  if (typeof source === 'number') return [source, source + 1];
  if ('offset' in source) return [source.offset, source.offset + Math.max(1, source.source?.length ?? 1)];
  return [source[0], source[1]];
}

type ErrorSource = number | readonly [number, number, ...number[]] | { offset: number; source?: string };

const allowedTags = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((t) => `tag:yaml.org,2002:${t}`),
);

/** Turns the library's nodes into ours, following aliases and merge keys on the way. */
class Adapter {
  readonly text: string;
  readonly anchors = new Map<string, Node | 'open'>();
  copied = 0;

  constructor(text: string) {
    this.text = text;
  }

  adapt(node: ParsedNode, depth: number): Node {
    if (depth > limits.maxDepth) throw new TooDeep(node.range[0]);
    if (isAlias(node)) return this.follow(node.source, node.range);
    if (node.tag && node.tag !== '!' && !allowedTags.has(node.tag)) {
      throw new YamlProblem(`The tag "${node.tag}" is not supported`, node.range[0], node.range[1]);
    }
    if (node.anchor) this.anchors.set(node.anchor, 'open');
    const adapted = this.adaptContent(node, depth);
    if (node.anchor) this.anchors.set(node.anchor, adapted);
    return adapted;
  }

  adaptContent(node: ParsedNode, depth: number): Node {
    const [start, end] = node.range;
    if (isSeq(node)) {
      // A parsed list holds parsed nodes only; the library's type also covers lists built in code.
      const items = node.items.map((item) => this.adapt(item as ParsedNode, depth + 1));
      return { kind: 'list', items, start, end };
    }
    if (isMap(node)) return this.adaptMap(node.items as PairOfNodes[], start, end, depth);
    if (isScalar(node)) {
      const read = typeof node.value === 'string' ? node.value : (node.source ?? '');
      // Where the text ends without a line break, the last line of a block has none to keep.
      const isCutShort =
        node.type?.startsWith('BLOCK') && end >= this.text.length && !this.text.endsWith('\n');
      const content = isCutShort ? read.replace(/\n$/, '') : read;
      const plain = node.type === 'PLAIN' && node.tag !== 'tag:yaml.org,2002:str' && node.tag !== '!';
      return { kind: 'scalar', value: plain ? resolvePlain(content) : content, text: content, start, end };
    }
    throw new YamlProblem('This kind of value is not supported', start, end);
  }

  adaptMap(pairs: readonly PairOfNodes[], start: number, end: number, depth: number): MapNode {
    const entries: Entry[] = [];
    const merged: Node[] = [];
    for (const pair of pairs) {
      const isMerge = isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.value === '<<';
      const key = this.adapt(pair.key, depth + 1);
      if (key.kind !== 'scalar') {
        throw new YamlProblem('A map or a list cannot be the name of a property', key.start, key.end);
      }
      const value = pair.value ? this.adapt(pair.value, depth + 1) : emptyScalar(key.end);
      if (isMerge) merged.push(value);
      else entries.push({ key, value });
    }
    if (merged.length > 0) this.merge(entries, merged, start, end);
    return { kind: 'map', entries, start, end };
  }

  /** Merge keys add properties that the map itself does not have; of several sources the first one wins. */
  merge(entries: Entry[], sources: readonly Node[], start: number, end: number): void {
    const known = new Set(entries.map((entry) => entry.key.text));
    for (const source of sources.flatMap((node) => (node.kind === 'list' ? node.items : [node]))) {
      if (source.kind !== 'map') {
        throw new YamlProblem('A merge key "<<" needs a map or a list of maps', start, end);
      }
      for (const entry of source.entries) {
        this.copied += 1;
        if (this.copied > limits.maxValues) throw new YamlProblem(tooMany, start, end);
        if (!known.has(entry.key.text)) entries.push(entry);
        known.add(entry.key.text);
      }
    }
  }

  follow(name: string, range: readonly [number, number, number]): Node {
    const target = this.anchors.get(name);
    if (target === undefined) {
      throw new YamlProblem(`The alias "*${name}" has no anchor before it`, range[0], range[1]);
    }
    if (target === 'open') throw new YamlProblem(`The alias "*${name}" contains itself`, range[0], range[1]);
    return target;
  }
}

export const tooMany = `The document has more than ${limits.maxValues} values once its aliases are followed`;

interface PairOfNodes {
  readonly key: ParsedNode;
  readonly value: ParsedNode | null;
}
