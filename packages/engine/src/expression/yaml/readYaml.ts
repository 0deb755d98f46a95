import { parseDocument, type ScalarTag, type Tags } from 'yaml';
import { ExpressionError } from '../error.ts';
import { double, integer, Real } from '../numbers/number.ts';
import { isPlainMap, mapOf } from '../values/kind.ts';

/** Parses YAML 1.1 (`yes` is true); dates stay text, and numbers keep their kind. */
export function readYaml(text: string): unknown {
  const document = parseDocument(text, {
    version: '1.1',
    customTags: keepKinds,
    intAsBigInt: true,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error) throw new ExpressionError(`Invalid yaml: ${error.message}`, 'error', { cause: error });
  return normalise(document.toJS({ maxAliasCount: 100 }));
}

function keepKinds(tags: Tags): Tags {
  return tags
    .filter(
      (tag) =>
        typeof tag === 'string' || !/timestamp|binary|float/.test(tag.tag) || tag.tag.endsWith(':float'),
    )
    .map((tag) => (typeof tag !== 'string' && tag.tag.endsWith(':float') ? boxFloat(tag as ScalarTag) : tag));
}

function boxFloat(tag: ScalarTag): ScalarTag {
  return {
    ...tag,
    resolve: (text, onError, options) => {
      const resolved: unknown = tag.resolve(text, onError, options);
      const value =
        typeof resolved === 'object' && resolved !== null && 'value' in resolved ? resolved.value : resolved;
      return typeof value === 'number' ? double(value) : value;
    },
  };
}

function normalise(value: unknown): unknown {
  if (typeof value === 'bigint') return integer(value);
  if (Array.isArray(value)) return value.map(normalise);
  if (value instanceof Real) return value;
  return isPlainMap(value)
    ? mapOf(Object.entries(value).map(([key, item]) => [key, normalise(item)]))
    : value;
}
