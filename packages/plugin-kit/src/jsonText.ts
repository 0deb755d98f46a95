import { TaskFailed } from './failure.ts';

/**
 * Parses JSON that an author wrote around expressions. Rendered values may contain line breaks inside a
 * string, which JSON does not allow; they are unambiguous, so they are escaped.
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

/** Parses a JSON object; rejects anything else. */
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

/** The map without entries that have no value. */
export const dropMissing = <T extends object>(map: T): { [K in keyof T]?: Exclude<T[K], undefined | null> } =>
  // `as`: only entries without a value are left out.
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined && value !== null)) as {
    [K in keyof T]?: Exclude<T[K], undefined | null>;
  };

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

export const mapIn = (value: unknown): JsonMap => (isMap(value) ? value : {});

export const mapsIn = (value: unknown): readonly JsonMap[] =>
  Array.isArray(value) ? value.filter(isMap) : [];
