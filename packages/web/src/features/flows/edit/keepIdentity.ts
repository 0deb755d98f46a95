import { parseDocument } from 'yaml';
import type { FlowKey } from '../queries.ts';

/** What a source calls itself. */
export function identityOf(source: string): FlowKey {
  const document = parseDocument(source);
  return { id: String(document.get('id')), namespace: String(document.get('namespace')) };
}

/** The source under another id; only that line is touched. */
export const renameFlow = (source: string, id: string): string => source.replace(/^id:.*$/m, `id: ${id}`);

/**
 * The id and the namespace of a saved flow cannot change. Returns the source with both put back, or undefined
 * when nothing has to be put back, which includes a source that cannot be read at the moment.
 */
export function keepIdentity(source: string, key: FlowKey): string | undefined {
  if (writtenOf('id', source) === key.id && writtenOf('namespace', source) === key.namespace)
    return undefined;
  const document = parseDocument(source);
  if (document.errors.length > 0) return undefined;
  const changed = (['id', 'namespace'] as const).filter((name) => {
    const value: unknown = document.get(name);
    return value !== undefined && value !== null && value !== key[name];
  });
  if (changed.length === 0) return undefined;
  // Only the two lines are touched, so that comments and layout stay as their author left them.
  return changed.reduce(
    (text, name) => text.replace(new RegExp(`^${name}:.*$`, 'm'), `${name}: ${key[name]}`),
    source,
  );
}

/** A property as its line gives it: parsing a long flow to find nothing changed would delay typing. */
const writtenOf = (name: string, source: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]+([\\w.-]+)[ \\t]*$`, 'm').exec(source)?.[1];
