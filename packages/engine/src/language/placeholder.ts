import { isData } from '../flow/read/fields.ts';

/** A value to begin with, as YAML behind the colon of its property. */
interface Placeholder {
  readonly text: string;
  /** The part of it that the user replaces: selected when the text is inserted. */
  readonly replaced: { readonly start: number; readonly end: number };
}

/** The first value for a property: its default, its first choice, or an empty value of its type. */
export function placeholderFor(
  name: string,
  schema: unknown,
  { indentation, isInline }: { readonly indentation: number; readonly isInline: boolean },
): Placeholder {
  const known = isData(schema) ? concrete(schema) : {};
  const offered = known.default ?? known.const ?? (Array.isArray(known.enum) ? known.enum[0] : undefined);
  if (offered !== undefined && offered !== null) return whole(JSON.stringify(offered));
  const column = ' '.repeat(indentation);
  switch (taskLists.has(name) ? 'tasks' : known.type) {
    case 'tasks':
      if (isInline) return around('[', '', ']');
      return around(
        `\n${column}  - id: hello\n${column}    type: core.log.Log\n${column}    message: `,
        'Hello',
        '',
      );
    case 'array':
      return isInline ? around('[', '', ']') : around(`\n${column}  - `, '""', '', 1);
    case 'object':
      return around('{', '', '}');
    case 'integer':
    case 'number':
      return whole(String(known.minimum ?? 0));
    case 'boolean':
      return whole('false');
    default:
      return around('"', '', '"');
  }
}

const taskLists = new Set(['tasks', 'then']);

/** The alternative that says most about the value. */
function concrete(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const alternatives = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray) ?? [];
  const found = alternatives.filter(isData).map((each) => ({ ...concrete(each) }));
  const typed =
    found.find((each) => each.enum !== undefined || each.const !== undefined || each.default !== undefined) ??
    // Beside a number or a truth value, a text is an expression for it.
    found.find(({ type }) => type === 'integer' || type === 'number' || type === 'boolean') ??
    found[0];
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type;
  return { ...typed, ...schema, ...(type !== undefined && { type }) };
}

const whole = (text: string): Placeholder => ({ text, replaced: { start: 0, end: text.length } });

function around(before: string, value: string, after: string, inset = 0): Placeholder {
  const start = before.length + inset;
  const end = before.length + value.length - inset;
  return { text: before + value + after, replaced: { start, end } };
}
