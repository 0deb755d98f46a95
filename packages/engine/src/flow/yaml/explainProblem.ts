import { YamlProblem } from './node.ts';

/** A property whose colon has no space behind it; `http://` and `a::b` are texts. */
const gluedValue = /^\s*(?:- +)*([A-Za-z_][\w-]*:)[^\s:/]/;
const property = /^\s*(?:- +)*(?:[\w.$-]+|"[^"]*"|'[^']*') *:(?= |$)/;

/**
 * The library reports mistakes in the words of the YAML grammar, over all lines that follow from them. The most frequent
 * ones are explained by the line that they are on.
 */
export function explainProblem(
  text: string,
  code: string,
  message: string,
  [start, end]: readonly [number, number],
): YamlProblem {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const nextBreak = text.indexOf('\n', start);
  const lineEnd = nextBreak === -1 ? text.length : nextBreak;
  const line = text.slice(lineStart, lineEnd).trimEnd();
  const last = Math.min(end, Math.max(lineStart + line.length, start + 1));
  const isItem = /^- /.test(text.slice(start, lineEnd));
  return new YamlProblem(explanationOf(line, code, isItem) ?? message, start, last);
}

function explanationOf(line: string, code: string, isItem: boolean): string | undefined {
  const isNesting = code === 'MULTILINE_IMPLICIT_KEY' || code === 'BLOCK_AS_IMPLICIT_KEY';
  if (!isNesting) return undefined;
  const written = shorten(line.trim());
  if (isItem) return `${written} is a list item; expected a property at this indentation`;
  const glued = gluedValue.exec(line)?.[1];
  if (glued !== undefined)
    return `${written} is not a property; expected a space or a line break after "${glued}"`;
  const name = property.exec(line)?.[0];
  if (name === undefined)
    return `${written} is not a property; expected a name and a colon, as in "id: hello"`;
  if (/:(?: |$)/.test(line.slice(name.length)))
    return `The value of ${shorten(name.trim())} contains a colon; expected it in quotes`;
  return `${written} has a value and indented lines below it; expected one of the two`;
}

const shorten = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`;
