import type { Context } from '../context.ts';
import { type Filters, nameOf, requireInteger, requireText } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import { replaceLiteral, replaceMatches } from '../regex/replace.ts';
import { splitText } from '../regex/split.ts';
import { entriesOf, itemsOf, mapOf } from '../values/kind.ts';
import { javaText, printedText } from '../values/text.ts';
import { slugify } from './slugify.ts';

const text = (value: unknown, context: Context) => javaText(value, context.session);

/** Filters from text to text. */
export const textFilters: Filters = {
  upper: {
    names: [],
    run: (input, _, context) => text(input, context).toLocaleUpperCase(context.session.locale),
  },
  lower: {
    names: [],
    run: (input, _, context) => text(input, context).toLocaleLowerCase(context.session.locale),
  },
  trim: { names: [], run: (input) => trimText(requireText(input, 'The input of trim')) },
  string: { names: [], run: (input, _, context) => printedText(input, context.session) },
  capitalize: {
    names: [],
    run: (input, _, context) => text(input, context).replace(/\S/u, raise),
  },
  title: {
    names: [],
    run: (input, _, context) =>
      text(input, context).replace(/(^|\s)(\S)/gu, (_all, space, first) => space + raise(first)),
  },
  abbreviate: {
    names: ['length'],
    required: 1,
    run: (input, [length], context) => abbreviate(text(input, context), length),
  },
  slugify: { names: [], run: (input, _, context) => slugify(text(input, context)) },
  nl2br: { names: [], run: (input, _, context) => text(input, context).replace(/\r\n|\n|\r/g, '<br />') },
  substringBefore: {
    names: ['separator'],
    required: 1,
    run: (input, [separator], context) => {
      const whole = text(input, context);
      const at = whole.indexOf(requireText(separator, 'The separator'));
      return at < 0 ? whole : whole.slice(0, at);
    },
  },
  substringBeforeLast: {
    names: ['separator'],
    required: 1,
    run: (input, [separator], context) => {
      const whole = text(input, context);
      const mark = requireText(separator, 'The separator');
      const at = mark === '' ? -1 : whole.lastIndexOf(mark);
      return at < 0 ? whole : whole.slice(0, at);
    },
  },
  substringAfter: {
    names: ['separator'],
    required: 1,
    run: (input, [separator], context) => {
      const whole = text(input, context);
      const mark = requireText(separator, 'The separator');
      const at = whole.indexOf(mark);
      return at < 0 ? '' : whole.slice(at + mark.length);
    },
  },
  substringAfterLast: {
    names: ['separator'],
    required: 1,
    run: (input, [separator], context) => {
      const whole = text(input, context);
      const mark = requireText(separator, 'The separator');
      const at = mark === '' ? -1 : whole.lastIndexOf(mark);
      return at < 0 ? '' : whole.slice(at + mark.length);
    },
  },
  startsWith: {
    names: ['value'],
    required: 1,
    acceptsNull: true,
    run: (input, [value], context) =>
      notNull(input, 'startsWith', context).startsWith(requireText(value, 'The prefix')),
  },
  endsWith: {
    names: ['value'],
    required: 1,
    acceptsNull: true,
    run: (input, [value], context) =>
      notNull(input, 'endsWith', context).endsWith(requireText(value, 'The suffix')),
  },
  split: {
    names: ['delimiter', 'limit'],
    required: 1,
    run: (input, [delimiter, limit], context) => {
      const count = limit === undefined || limit === null ? 0 : requireInteger(limit, 'The limit of split');
      const pattern = requireText(delimiter, 'The delimiter of split');
      return splitText(requireText(input, 'The input of split'), pattern, count, context.session);
    },
  },
  replace: {
    names: ['replace_pairs', 'regexp'],
    required: 1,
    run: (input, [pairs, regexp], context) => {
      const entries = entriesOf(pairs);
      if (!entries) throw new ExpressionError(`replace needs a map of replacements, found ${nameOf(pairs)}`);
      const changes = entries.map(([search, value]) => [search, text(value, context)] as const);
      const change = regexp === true ? replaceMatches : replaceLiteral;
      return mapLeaves(input, context, (leaf) =>
        changes.reduce((result, [search, value]) => change(result, search, value, context.session), leaf),
      );
    },
  },
  escapeChar: {
    names: ['type'],
    required: 1,
    run: (input, [type], context) => {
      const kind = requireText(type, 'The type of escapeChar').toLowerCase();
      const [search, value] = escapes.get(kind) ?? [];
      if (search === undefined || value === undefined) {
        throw new ExpressionError(`escapeChar knows single, double and shell, not '${kind}'`);
      }
      return mapLeaves(input, context, (leaf) => replaceLiteral(leaf, search, value, context.session));
    },
  },
  indent: {
    names: ['amount', 'prefix'],
    required: 1,
    run: (input, [amount, prefix], context) => indent(text(input, context), amount, prefix, context),
  },
  nindent: {
    names: ['amount', 'prefix'],
    required: 1,
    run: (input, [amount, prefix], context) => {
      const whole = text(input, context);
      return whole === '' ? whole : indent(lineBreakOf(whole) + whole, amount, prefix, context);
    },
  },
};

const escapes = new Map<string, readonly [string, string]>([
  ['single', ["'", "\\'"]],
  ['double', ['"', '\\"']],
  ['shell', ["'", "'\\''"]],
]);

/** A character stays one character: there is no capital of `ß`. */
function raise(first: string): string {
  const upper = first.toUpperCase();
  return upper.length === first.length ? upper : first;
}

/** Java's trim cuts everything up to the space character, and only that. */
function trimText(whole: string): string {
  let start = 0;
  let end = whole.length;
  while (start < end && whole.charCodeAt(start) <= 32) start++;
  while (end > start && whole.charCodeAt(end - 1) <= 32) end--;
  return whole.slice(start, end);
}

function abbreviate(whole: string, length: unknown): string {
  const width = requireInteger(length, 'The length of abbreviate');
  if (width < 0) throw new ExpressionError('The length of abbreviate must not be negative');
  if (whole.length < width || whole.length <= 3) return whole;
  return width <= 3 ? whole.slice(0, width) : `${whole.slice(0, width - 3)}...`;
}

function notNull(input: unknown, filter: string, context: Context): string {
  if (input === null) throw new ExpressionError(`null value given to ${filter}`);
  return text(input, context);
}

/** Applies a change to every leaf of a value; the leaves become text. */
function mapLeaves(value: unknown, context: Context, change: (leaf: string) => string, depth = 0): unknown {
  context.session.chargeCopy();
  context.session.checkDepth(depth);
  if (value === null) return null;
  const items = itemsOf(value);
  if (items) return items.map((item) => mapLeaves(item, context, change, depth + 1));
  const entries = entriesOf(value);
  if (entries) return mapOf(entries.map(([key, item]) => [key, mapLeaves(item, context, change, depth + 1)]));
  return change(text(value, context));
}

function indent(whole: string, amount: unknown, prefix: unknown, context: Context): string {
  const count = requireInteger(amount, 'The amount of indent');
  if (count < 0) throw new ExpressionError('The amount of indent must not be negative');
  const unit = prefix === undefined || prefix === null ? ' ' : requireText(prefix, 'The prefix of indent');
  context.session.checkText(unit.length * count);
  const lineBreak = lineBreakOf(whole);
  return replaceLiteral(whole, lineBreak, lineBreak + unit.repeat(count), context.session);
}

function lineBreakOf(whole: string): string {
  return ['\r\n', '\n\r', '\n', '\r'].find((each) => whole.includes(each)) ?? '\n';
}
