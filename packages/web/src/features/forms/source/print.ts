import { Document, isCollection, isScalar, Scalar, visit } from 'yaml';

type Style = Scalar.Type | null | undefined;

interface PrintOptions {
  readonly style?: Style;
  readonly flow?: boolean;
  readonly padded?: boolean;
}

/** A value as YAML, the way the product writes it: two spaces, no folded lines, texts over several lines as blocks. */
export function print(value: unknown, { style, flow = false, padded = true }: PrintOptions = {}): string {
  const document = new Document(value);
  const { contents } = document;
  if (flow && isCollection(contents)) contents.flow = true;
  if (isScalar(contents) && style) contents.type = style;
  return toText(document, { padded });
}

/** `name: value`, over as many lines as it takes. */
export function printPair(name: string, value: unknown, style?: Style): string {
  return printInside({ [name]: value }, name, style);
}

/** `- value`, over as many lines as it takes. */
export function printItem(value: unknown, style?: Style): string {
  return printInside([value], 0, style);
}

function printInside(holder: unknown, place: string | number, style: Style): string {
  const document = new Document(holder);
  const node = document.getIn([place], true);
  if (isScalar(node) && style) node.type = style;
  return toText(document, { padded: true });
}

/** Empty lines at the end of a block text would run into the lines around it: such a text is quoted. */
const endsLoosely = /\n[^\S\n]*\n$|^\s+$/;

function toText(document: Document, { padded }: { padded: boolean }): string {
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && endsLoosely.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document
    .toString({
      lineWidth: 0,
      indent: 2,
      doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
      flowCollectionPadding: padded,
    })
    .replace(/\n$/, '');
}

/** The way a scalar was written, where a new value can be written the same way. */
export function keptStyle(old: unknown, value: unknown): Style {
  // An empty text has to be quoted; that says nothing about its author's taste.
  if (!isScalar(old) || old.value === '' || typeof value !== 'string') return undefined;
  const isBlock = old.type === Scalar.BLOCK_LITERAL || old.type === Scalar.BLOCK_FOLDED;
  const isQuote = old.type === Scalar.QUOTE_DOUBLE || old.type === Scalar.QUOTE_SINGLE;
  if (value.includes('\n')) return isBlock ? old.type : undefined;
  return isQuote ? old.type : undefined;
}
