import { z } from 'zod';

/** A value as DynamoDB writes it: a map with one entry that names its type. */
const Attribute = z.record(z.string(), z.unknown());
type Attribute = z.infer<typeof Attribute>;
export const Attributes = z.record(z.string(), Attribute);

export const toAttributes = (map: Readonly<Record<string, unknown>>): z.infer<typeof Attributes> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, toAttribute(value)]));

function toAttribute(value: unknown): Attribute {
  if (value === null || value === undefined) return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number' || typeof value === 'bigint') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) {
    const isSet =
      value.length > 0 &&
      value.every((each) => typeof each === 'string') &&
      new Set(value).size === value.length;
    return isSet ? { SS: value } : { L: value.map(toAttribute) };
  }
  const map = z.record(z.string(), z.unknown()).safeParse(value);
  // Dates and exact decimals of rows are no plain maps.
  const isPlain = Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null;
  return map.success && isPlain ? { M: toAttributes(map.data) } : { S: String(value) };
}

export const fromAttributes = (item: z.infer<typeof Attributes>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, fromAttribute(value)]));

function fromAttribute(attribute: Attribute): unknown {
  const [[type, value] = ['', undefined]] = Object.entries(attribute);
  switch (type) {
    case 'N':
      return toNumber(String(value));
    case 'NS':
      return Array.isArray(value) ? value.map((each) => toNumber(String(each))) : [];
    case 'NULL':
      return null;
    case 'M':
      return fromAttributes(Attributes.parse(value));
    case 'L':
      return z.array(Attribute).parse(value).map(fromAttribute);
    default:
      // Texts, booleans, sets of texts, and bytes in base64.
      return value;
  }
}

/** Digits that a number would round stay text. */
function toNumber(text: string): number | string {
  const number = Number(text);
  const digits = text.replace(/^-|[.]|[eE].*$/g, '').replace(/^0+/, '');
  return digits.length > 15 && String(number) !== text ? text : number;
}
