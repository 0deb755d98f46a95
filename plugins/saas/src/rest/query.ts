import type { JsonMap } from '@millrace/plugin-kit';
import { TaskFailed } from '@millrace/plugin-kit';

/** Builds a URL query; a list repeats its name for every item, and missing values are omitted. */
export function toQuery(values: JsonMap, first: '?' | '&'): string {
  const pairs = pairsOf(values).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? '' : `${first}${pairs.join('&')}`;
}

/** Form fields; a map inside becomes `name[key]`, a list in it `name[0]`. */
export const toForm = (values: JsonMap): string => new URLSearchParams(nestedPairs(values)).toString();

function pairsOf(values: JsonMap): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== undefined && item !== null)
      .map((item): [string, string] => [
        name,
        typeof item === 'object' ? JSON.stringify(item) : String(item),
      ]),
  );
}

function nestedPairs(values: JsonMap, prefix = ''): [string, string][] {
  return Object.entries(values).flatMap(([key, value]): [string, string][] => {
    const name = prefix === '' ? key : `${prefix}[${key}]`;
    if (value === undefined || value === null) return [];
    // `as`: lists and maps are both read by their keys.
    return typeof value === 'object' ? nestedPairs(value as JsonMap, name) : [[name, String(value)]];
  });
}

/** Fills `{name}` in the template of a path. `{+name}` keeps the slashes of the value. */
export function fillPath(template: string, values: JsonMap): string {
  return template.replace(/\{(\+?)(\w+)\}/g, (_, keepsSlashes: string, name: string) => {
    const value = values[name];
    if (value === undefined || value === null || value === '')
      throw new TaskFailed(`"${name}" must be given.`, { retry: false });
    return keepsSlashes
      ? String(value).split('/').map(encodeURIComponent).join('/')
      : encodeURIComponent(String(value));
  });
}
