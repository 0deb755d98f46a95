/**
 * The properties of types. A property holds a literal of its type or an expression; rendering an expression
 * yields text, which these schemas convert to the type. One schema validates a flow when it is saved
 * (`checkProperties` accepts expressions), parses the rendered values when the task runs, and describes the
 * property in the documentation.
 */

import { readDuration } from '@millrace/engine';
import { z } from 'zod';

/** True when the text must be rendered before it means anything. */
export const isExpression = (value: unknown): value is string =>
  typeof value === 'string' && (value.includes('{{') || value.includes('{%'));

const scalarToText = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : value;

function textToNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() === '') return value;
  // YAML lets digits be grouped: `1_000`.
  const number = Number(value.replace(/(?<=\d)_(?=\d)/g, ''));
  return Number.isNaN(number) ? value : number;
}

/** The YAML 1.1 spellings of true and false, which older flows use. */
const truths = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
]);

function textToBoolean(value: unknown): unknown {
  return typeof value === 'string' ? (truths.get(value.trim().toLowerCase()) ?? value) : value;
}

/** A bare number counts seconds. */
function textToMs(value: unknown): unknown {
  return readDuration(value) ?? value;
}

/** Parses the JSON text of a list or map, as an expression renders it; returns other values unchanged. */
function jsonToValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

// Zod schemas are slow to create and immutable, so all properties share the plain ones.
const plainText = z.preprocess(scalarToText, z.string());
const plainDecimal = z.preprocess(textToNumber, z.number());
const plainInteger = z.preprocess(textToNumber, z.number().int());
const plainFlag = z.preprocess(textToBoolean, z.boolean());
const plainDuration = z
  .preprocess(textToMs, z.number('must be an ISO 8601 duration such as PT1M30S or P1D'))
  .meta({ type: 'string', format: 'duration' });
const plainDateTime = z
  .preprocess(
    (value) => (value instanceof Date ? value.toISOString() : value),
    z.string().refine((value) => !Number.isNaN(Date.parse(value)), 'must be an ISO date and time'),
  )
  .meta({ format: 'date-time' });

export const text = () => plainText;
export const decimal = () => plainDecimal;
export const flag = () => plainFlag;

export function integer(limits: { min?: number; max?: number } = {}): typeof plainInteger {
  if (limits.min === undefined && limits.max === undefined) return plainInteger;
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = limits;
  return z.preprocess(textToNumber, z.number().int().min(min).max(max));
}

/** Written as ISO 8601 (`PT10S`, `P1D`), read as milliseconds. Give a default with `.prefault('PT1M')`. */
export const duration = () => plainDuration;

/** An ISO date and time, kept as text. */
export const dateTime = () => plainDateTime;

export const choice = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.preprocess((value) => (typeof value === 'string' ? value.trim() : value), z.enum(values));

export const listOf = <T extends z.ZodType>(item: T, limits: { min?: number } = {}) =>
  z.preprocess(jsonToValue, z.array(item).min(limits.min ?? 0));

export const mapOf = <T extends z.ZodType>(value: T) =>
  z.preprocess(jsonToValue, z.record(z.string(), value));

/**
 * Labels as a map, or as a list of keys and values. The text of JSON is read before the choice between both: a union of
 * schemas that read it themselves would count as optional.
 */
export const labels = () =>
  z.preprocess(
    jsonToValue,
    z.union([z.record(z.string(), text()), z.array(z.strictObject({ key: text(), value: text() }))]),
  );

/** A nested object with its own properties; unknown properties are rejected. */
export const part = <S extends z.ZodRawShape>(shape: S) => z.preprocess(jsonToValue, z.strictObject(shape));

const isPlain = (value: unknown): boolean => value !== null && typeof value !== 'object';

/** A text or a list of texts (also the JSON text of a list). Always parsed to a list. */
export const textOrList = () =>
  z
    .preprocess((value) => {
      if (typeof value !== 'string') return Array.isArray(value) || value === undefined ? value : [value];
      const read = jsonToValue(value);
      // The JSON of anything else, such as a map that is logged, is one text.
      return Array.isArray(read) && read.every(isPlain) ? read : [value];
    }, z.array(text()))
    .meta({
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      type: undefined,
      items: undefined,
    });

/** A text; a list or a map is read as its JSON. */
export const textOrJson = () =>
  z
    .preprocess(
      (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : scalarToText(value)),
      z.string(),
    )
    .meta({ anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'array' }], type: undefined });

export const anything = () => z.unknown();
/** Any value, but required. */
export const someValue = () => z.unknown().refine((value) => value !== undefined, 'must not be null');

/** The URI of a file in internal storage. */
export const storageUri = () => text().meta({ $internalStorageURI: true });

/** Read as written: an expression here is not rendered. */
export const fixed = <T extends z.ZodType>(schema: T): T => schema.meta({ $dynamic: false });

/** Still accepted, with a notice that names the replacement. */
export const deprecated = <T extends z.ZodType>(schema: T, instead: string): T =>
  schema.meta({ $deprecated: true, description: `Deprecated: ${instead}` });

const Typed = z.looseObject({ type: z.string() });
const reference = (name: string) => ({ $place: name });

/** Places for other types. The engine validates their content with the catalogue, not these schemas. */
export const aTask = () => Typed.meta(reference('Task'));
export const tasks = () => fixed(z.array(aTask()).min(1));
export const aCondition = () => Typed.meta(reference('Condition'));
export const conditions = () => fixed(z.array(aCondition()));
export const aTaskRunner = () => Typed.meta(reference('TaskRunner'));
export const aLogExporter = () => Typed.meta(reference('LogExporter'));
export const inputs = () =>
  fixed(z.array(z.looseObject({ id: z.string(), type: z.string() }).meta(reference('Input'))));
export const aDataFilter = () => Typed.meta(reference('DataFilter'));
/** A part defined by `defineAdditional` for this place. The catalogue validates its content. */
export const aPart = (place: string) =>
  z.preprocess(jsonToValue, Typed.meta({ $place: place, $isPart: true }));
export const partsOf = (place: string) => listOf(Typed.meta({ $place: place, $isPart: true }));
