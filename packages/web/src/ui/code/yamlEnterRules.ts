import type { languages } from 'monaco-editor/editor';

/** A property that opens its line: `id:`, `"a b":`. */
const key = String.raw`(?:"[^"]*"|'[^']*'|[^\s"'#{}[\],&*!|>%@\u0060-]\S*?|-[^\s:]+)\s*:(?=\s|$)`;
const comment = String.raw`\s*(?:\s#.*)?$`;
/** `|`, `>-`, `|2`: the text follows on the next lines. */
const opensText = String.raw`[|>][+-]?\d?[+-]?${comment}`;
const opensBrackets = String.raw`[[{(]\s*$`;
/** Widths of the dashes before a property, from `- id` to `- - - id`: a rule can append a fixed text only. */
const dashWidths = [2, 3, 4, 5, 6];

// Their numbers, so that Monaco itself is not loaded with this file.
const keep = 0 satisfies languages.IndentAction.None;
const indent = 1 satisfies languages.IndentAction.Indent;

/**
 * Where the cursor goes after Enter in YAML. Monaco indents after a colon only, and takes the dash of a list item for its
 * indentation: after `- id: x` the next property would be a sibling of the item.
 */
export const yamlEnterRules: languages.OnEnterRule[] = [
  ...dashWidths.flatMap((width) => {
    const item = String.raw`^\s*(?=- )[- ]{${width}}(?<= )(?!- )${key}`;
    const underKey = ' '.repeat(width);
    return [
      rule(`${item}(?:${comment}|.*\\s${opensText}|.*${opensBrackets})`, {
        indentAction: indent,
        appendText: underKey,
      }),
      rule(item, { indentAction: keep, appendText: underKey }),
    ];
  }),
  rule(String.raw`(?:^\s*(?:- +)?|\s)${opensText}`, { indentAction: indent }),
  rule(`^\\s*${key}${comment}`, { indentAction: indent }),
  // Code in a text over several lines: `if x:`, `for (…):`.
  rule(String.raw`:\s*$`, { indentAction: indent }),
];

function rule(beforeText: string, action: languages.EnterAction): languages.OnEnterRule {
  return { beforeText: new RegExp(beforeText), action };
}
