import type { Label } from '@millrace/contract';
import { type Fields, isData, quote } from './fields.ts';

/** Labels are written as a map or as a list of `{key, value}`; they are kept as a list. */
export function readLabels(fields: Fields, name = 'labels'): Label[] | undefined {
  const value = fields.get(name);
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return readList(fields, name);
  if (!isData(value)) return fields.wrong(name, 'a map or a list of key and value');
  const labels: Label[] = [];
  for (const [key, entry] of Object.entries(value)) {
    const text = scalarText(entry);
    if (key === '') fields.findings.error(fields.at(name), 'a label needs a key');
    else if (text !== undefined) labels.push({ key, value: text });
    else {
      fields.findings.error(
        [...fields.at(name), key],
        `${quote(entry)} is not valid; expected a text or number or boolean`,
      );
    }
  }
  return labels;
}

function readList(fields: Fields, name: string): Label[] {
  const labels: Label[] = [];
  for (const item of fields.items(name)) {
    const key = item.requiredText('key');
    const value = scalarText(item.get('value'));
    if (value === undefined) item.missing('value');
    else if (key === '') item.wrong('key', 'a key that is not empty');
    else if (key !== undefined) labels.push({ key, value });
  }
  return labels;
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
