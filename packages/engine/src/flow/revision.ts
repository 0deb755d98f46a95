import { parseDocument } from 'yaml';

/** A `revision:` at the start of a line is at the top of the document: everything inside it is indented. */
const revisionLine = /^revision[ \t]*:[ \t]*["']?\d*["']?[ \t]*(?:#.*)?(?:\r?\n|$)/m;

/** [E160] The text as it is stored, without `revision:`, because the server assigns revision numbers. */
export const stripRevision = (source: string): string => source.replace(revisionLine, '');

/** [E161] Saving the same text again, apart from its revision line, changes nothing. */
export const isSameSource = (one: string, other: string): boolean =>
  stripRevision(one) === stripRevision(other);

const disabledLine = /^(disabled[ \t]*:[ \t]*)([^#\s]*)/m;

/** [E162] The text with its top-level `disabled` set; a line is added at the end when there is none. */
export function setDisabled(source: string, disabled: boolean): string {
  if (disabledLine.test(source))
    return source.replace(disabledLine, (_, name: string) => `${spaced(name)}${disabled}`);
  if (!disabled) return source;
  if (/^\s*\{/.test(source.replace(/^(?:#.*|---.*|\s*)$/gm, ''))) return setInFlowStyle(source, disabled);
  const text = source === '' || source.endsWith('\n') ? source : `${source}\n`;
  return `${text}disabled: true\n`;
}

const spaced = (name: string): string => (/[ \t]$/.test(name) ? name : `${name} `);

/** A flow-style document (in braces) cannot get another line, so its text is serialized again. */
function setInFlowStyle(source: string, disabled: boolean): string {
  const document = parseDocument(source);
  document.set('disabled', disabled);
  return String(document);
}
