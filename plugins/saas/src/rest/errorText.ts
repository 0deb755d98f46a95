import { isMap } from '@millrace/plugin-kit';
import { valueAt } from './outputs.ts';

/** Where services put the sentence that a user should read. */
const places = [
  'error.message',
  'error.description',
  'message',
  'error_description',
  'detail',
  'Message',
  'errorMessages.0',
  'errors.0.message',
  'errors.0.detail',
  'errors.0.title',
  'error_summary',
  'title',
  'error',
  'description',
  'errors',
];

/** The message of an error response; the start of the text when it is not JSON. */
export function errorText(text: string): string {
  const value = parse(text);
  if (isMap(value) || Array.isArray(value)) {
    const found = places.map((place) => valueAt(Array.isArray(value) ? value[0] : value, place)).find(isSaid);
    const details = isMap(value) && typeof found === 'string' ? detailsOf(value, found) : '';
    return cut(`${typeof found === 'string' ? found : JSON.stringify(found ?? value)}${details}`);
  }
  return cut(/^\s*</.test(text) ? text.replace(/<[^>]*>/g, ' ') : text);
}

/** Lists of individual problems are more specific than the message above them. */
function detailsOf(value: Readonly<Record<string, unknown>>, found: string): string {
  const { errors, details } = value;
  const list = Array.isArray(errors) && errors.length > 0 ? errors : details;
  if (!Array.isArray(list) && !isMap(list)) return '';
  const said = JSON.stringify(list);
  return said === '{}' || said === '[]' || said.includes(JSON.stringify(found)) ? '' : ` ${said}`;
}

const isSaid = (value: unknown): boolean =>
  (typeof value === 'string' && value.trim() !== '') || (isMap(value) && Object.keys(value).length > 0);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const cut = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 500);
