import { TaskFailed } from '@millrace/plugin-kit';

/**
 * Reads JSON that an author wrote around expressions. A rendered value may have brought line breaks into a text, which
 * JSON does not allow and which have only one meaning there.
 */
export function readJson(written: string, property: string): unknown {
  try {
    return JSON.parse(written);
  } catch (first) {
    try {
      return JSON.parse(escapeControls(written));
    } catch {
      const reason = first instanceof Error ? first.message : String(first);
      throw new TaskFailed(
        `"${property}" must be valid JSON (${reason}). Use the \`toJson\` filter for values inside of it, as in {{ inputs.text | toJson }}.`,
        { retry: false },
      );
    }
  }
}

export type JsonMap = Readonly<Record<string, unknown>>;

/** A JSON object; anything else is refused. */
export function readJsonMap(written: string, property: string): JsonMap {
  const value = readJson(written, property);
  if (isMap(value)) return value;
  throw new TaskFailed(`"${property}" must be a JSON object, got ${JSON.stringify(value).slice(0, 100)}.`, {
    retry: false,
  });
}

export const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Escapes control characters between quotes; outside of them they are white space. */
function escapeControls(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (quoted) =>
    quoted.replace(/\r?\n/g, '\\n').replace(/\t/g, '\\t').replace(controls, ''),
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u001f]/g;

/** The map without what has no value. */
export const dropMissing = (map: JsonMap): Record<string, unknown> =>
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined && value !== null));
