import { readItems, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';

const Values = z.preprocess(
  (value) => (Array.isArray(value) ? value : [value]),
  z.array(z.preprocess((value) => (typeof value === 'string' ? value : JSON.stringify(value)), z.string())),
);

/** One entry of a directory, or one change of an entry, as a row and as a record of an LDIF file. */
export const LdifRecord = z.looseObject({
  dn: z.string(),
  attributes: z.record(z.string(), Values).optional(),
  changeType: z.string().optional(),
  modifications: z
    .array(z.object({ operation: z.string(), attribute: z.string(), values: Values.optional() }))
    .optional(),
});
export type LdifRecord = z.infer<typeof LdifRecord>;

/** Whether LDIF allows the text verbatim; other text is written in base64. */
const isSafe = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that LDIF does not allow.
  !/[\u0000\n\r\u0080-\uffff]/.test(text) && !/^[ :<]/.test(text) && !text.endsWith(' ');

const line = (name: string, value: string): string =>
  isSafe(value) ? `${name}: ${value}\n` : `${name}:: ${Buffer.from(value).toString('base64')}\n`;

export function writeRecord({ dn, attributes, changeType, modifications }: LdifRecord): string {
  const lines = [line('dn', dn)];
  if (changeType !== undefined) lines.push(`changetype: ${changeType.toLowerCase()}\n`);
  for (const [name, values] of Object.entries(attributes ?? {}))
    for (const value of values) lines.push(line(name, value));
  for (const { operation, attribute, values = [] } of modifications ?? []) {
    lines.push(`${operation.toLowerCase()}: ${attribute}\n`);
    for (const value of values) lines.push(line(attribute, value));
    lines.push('-\n');
  }
  return `${lines.join('')}\n`;
}

/** The records of an LDIF file, one after the other. */
export async function* readLdif(content: AsyncIterable<Uint8Array>): AsyncIterable<LdifRecord> {
  let lines: string[] = [];
  for await (const raw of readItems(content, '\n')) {
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (text.startsWith('#')) continue;
    if (text.startsWith(' ') && lines.length > 0) lines[lines.length - 1] += text.slice(1);
    else if (text.trim() !== '') lines.push(text);
    else if (lines.length > 0) {
      const record = readRecord(lines);
      if (record) yield record;
      lines = [];
    }
  }
  const last = lines.length > 0 ? readRecord(lines) : undefined;
  if (last) yield last;
}

function readRecord(lines: readonly string[]): LdifRecord | undefined {
  const pairs = lines.filter((text) => !/^version:/i.test(text)).map(readLine);
  if (pairs.length === 0) return undefined;
  const [[first, dn] = ['', ''], ...rest] = pairs;
  if (first.toLowerCase() !== 'dn')
    throw new TaskFailed(`A record of the LDIF file must begin with "dn:", not with "${first}".`, {
      retry: false,
    });
  const changeType =
    rest[0]?.[0].toLowerCase() === 'changetype' ? rest.shift()?.[1].toLowerCase() : undefined;
  if (changeType === 'modify') return { dn, changeType, modifications: readModifications(rest) };
  const attributes: Record<string, string[]> = {};
  for (const [name, value] of rest) attributes[name] = [...(attributes[name] ?? []), value];
  return {
    dn,
    ...(changeType !== undefined && { changeType }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  };
}

function readLine(text: string): [string, string] {
  if (text === '-') return ['-', ''];
  const at = text.indexOf(':');
  if (at < 1) throw new TaskFailed(`The line "${text.slice(0, 100)}" is not LDIF.`, { retry: false });
  const name = text.slice(0, at);
  if (text[at + 1] === ':') return [name, Buffer.from(text.slice(at + 2).trim(), 'base64').toString('utf8')];
  return [name, text.slice(at + 1).trimStart()];
}

function readModifications(pairs: readonly (readonly [string, string])[]) {
  const modifications: { operation: string; attribute: string; values: string[] }[] = [];
  let isOpen = false;
  for (const [name, value] of pairs) {
    if (name === '-') isOpen = false;
    else if (!isOpen) {
      modifications.push({ operation: name.toLowerCase(), attribute: value, values: [] });
      isOpen = true;
    } else modifications.at(-1)?.values.push(value);
  }
  return modifications;
}
