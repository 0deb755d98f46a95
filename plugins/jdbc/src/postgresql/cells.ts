import { inZone, localDateTime, localTime, timeInZone } from '../base/dateTexts.js';
import { doubleValue, exactNumber, parseExactJson } from '../base/exactNumber.js';

/** Converts the text that PostgreSQL sends to a value. */
export type ReadCell = (text: string) => unknown;

/** Types that a database makes itself: by object id, how their values are read. */
export type OwnTypes = ReadonlyMap<number, ReadCell>;

const asText: ReadCell = (text) => text;
const number: ReadCell = Number;
const double: ReadCell = (text) => doubleValue(Number(text));
const decimal: ReadCell = (text) => (/^[-+\d.]+$/.test(text) ? exactNumber(text) : text);
const money: ReadCell = (text) => Number(text.replace(/^\((.*)\)$/, '-$1').replace(/[^\d.-]/g, ''));
const bytes: ReadCell = (text) => Buffer.from(text.slice(2), 'hex').toString('base64');

/** Reads values of the built-in types; times with an offset are shown on the clock of the zone. */
export function cellReader(zone: string, ownTypes: OwnTypes = new Map()): (type: number) => ReadCell {
  const scalars = new Map<number, ReadCell>([
    [16, (text) => text === 't'],
    [17, bytes],
    [20, exactNumber],
    [21, number],
    [23, number],
    [26, number],
    [114, parseExactJson],
    [700, double],
    [701, double],
    [790, money],
    [1083, localTime],
    [1114, localDateTime],
    [1184, (text) => inZone(text, zone)],
    [1186, interval],
    [1266, (text) => timeInZone(text, zone, new Date())],
    [1700, decimal],
    [3802, parseExactJson],
  ]);
  const readers = new Map<number, ReadCell>([...scalars, ...ownTypes]);
  for (const [array, element] of arrays) readers.set(array, arrayOf(scalars.get(element) ?? asText));
  return (type) => readers.get(type) ?? asText;
}

/** The array type of each built-in type: array → element. */
const arrays: readonly (readonly [number, number])[] = [
  [199, 114],
  [651, 650],
  [791, 790],
  [1000, 16],
  [1001, 17],
  [1003, 19],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1014, 1042],
  [1015, 1043],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1028, 26],
  [1041, 869],
  [1115, 1114],
  [1182, 1082],
  [1183, 1083],
  [1185, 1184],
  [1187, 1186],
  [1231, 1700],
  [1270, 1266],
  [2951, 2950],
  [3807, 3802],
];

/** `1 year 2 mons -3 days 04:05:06.7` as `P1Y2M-3DT4H5M6.7S`. */
export function interval(text: string): string {
  const part = (unit: RegExp): number => Number(unit.exec(text)?.[1] ?? 0);
  const [, sign = '', hours = '0', minutes = '0', seconds = '0'] =
    /([+-])?(\d+):(\d{2}):(\d{2}(?:\.\d+)?)/.exec(text) ?? [];
  const signed = (digits: string): number => Number(digits) * (sign === '-' ? -1 : 1) + 0;
  const years = part(/([+-]?\d+) years?/);
  const months = part(/([+-]?\d+) mons?/);
  const days = part(/([+-]?\d+) days?/);
  return `P${years}Y${months}M${days}DT${signed(hours)}H${signed(minutes)}M${signed(seconds)}S`;
}

/** `{1,NULL,"a \"b\""}` as a list; arrays of several dimensions are lists of lists. */
export function arrayOf(readElement: ReadCell): ReadCell {
  return (text) => {
    // Bounds that differ from 1 are written before the braces.
    const source = text.replace(/^[^{]*=/, '');
    let at = 0;
    const readList = (): unknown[] => {
      const items: unknown[] = [];
      at++;
      while (at < source.length && source[at] !== '}') {
        if (source[at] === ',') at++;
        else if (source[at] === '{') items.push(readList());
        else if (source[at] === '"') items.push(readElement(readQuoted()));
        else items.push(readPlain());
      }
      at++;
      return items;
    };
    const readQuoted = (): string => {
      let value = '';
      for (at++; source[at] !== '"' && at < source.length; at++) {
        if (source[at] === '\\') at++;
        value += source[at] ?? '';
      }
      at++;
      return value;
    };
    const readPlain = (): unknown => {
      const start = at;
      while (at < source.length && source[at] !== ',' && source[at] !== '}') at++;
      const value = source.slice(start, at);
      return value === 'NULL' ? null : readElement(value);
    };
    return readList();
  };
}

/** `"a"=>"1", "b"=>NULL` as a map. */
export function hstore(text: string): Record<string, string | null> {
  const unquote = (part: string) => part.slice(1, -1).replace(/\\(.)/gs, '$1');
  const pairs = text.matchAll(/("(?:[^"\\]|\\.)*")=>("(?:[^"\\]|\\.)*"|NULL)/gs);
  return Object.fromEntries(
    [...pairs].map(([, key = '', value = '']) => [unquote(key), value === 'NULL' ? null : unquote(value)]),
  );
}
