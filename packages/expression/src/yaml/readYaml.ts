import { type Document, parseDocument, Scalar, visit } from 'yaml';
import { ExpressionError } from '../error.ts';
import { double, integer } from '../numbers/number.ts';
import { mapOf } from '../values/kind.ts';

/** Parses YAML as the reference does: `yes` is true and `010` is eight, but dates, times and `y` stay text. */
export function readYaml(text: string): unknown {
  const document = parseDocument(text, { version: '1.1', logLevel: 'silent' });
  const [error] = document.errors;
  if (error) throw new ExpressionError(`Invalid yaml: ${error.message}`, 'error', { cause: error });
  resolveScalars(document, text);
  return normalise(document.toJS({ maxAliasCount: 100, mapAsMap: true }));
}

/** The library supports more of YAML 1.1 than the reference, so unquoted scalars are resolved again. */
function resolveScalars(document: Document, text: string): void {
  visit(document, {
    Scalar(place, node) {
      if (node.type === 'PLAIN' && !node.tag && node.source !== '<<') {
        node.value = place === 'key' ? node.source : resolvePlain(node.source ?? '');
      } else if (isBlock(node) && isCutShort(node, text)) {
        // Where the text ends without a line break, the last line has none to keep.
        node.value = String(node.value).replace(/\n$/, '');
      }
    },
  });
}

const isBlock = (node: Scalar): boolean =>
  node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED;

const isCutShort = (node: Scalar, text: string): boolean =>
  !text.endsWith('\n') && (node.range?.[1] ?? 0) >= text.length;

const truths = new Map(
  (['true', 'yes', 'on', 'false', 'no', 'off'] as const).flatMap((word, index) =>
    [word, word.toUpperCase(), word[0]?.toUpperCase() + word.slice(1)].map((each) => [each, index < 3]),
  ),
);
const decimalInteger = /^[-+]?(?:0|[1-9][0-9_]*)$/;
const otherInteger = /^([-+]?)(?:0x([0-9a-fA-F_]+)|0b([01_]+)|0([0-7_]+))$/;
const real = /^[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?$/;

function resolvePlain(text: string): unknown {
  if (text === '' || text === '~' || /^(?:null|Null|NULL)$/.test(text)) return null;
  const truth = truths.get(text);
  if (truth !== undefined) return truth;
  if (!/^[-+.\d]/.test(text)) return text;
  const digits = text.replaceAll('_', '');
  if (decimalInteger.test(text)) return integer(BigInt(digits.replace('+', '')));
  const [, sign, hexadecimal, binary, octal] = otherInteger.exec(digits) ?? [];
  if (sign !== undefined) {
    const size = BigInt(hexadecimal ? `0x${hexadecimal}` : binary ? `0b${binary}` : `0o${octal}`);
    return integer(sign === '-' ? -size : size);
  }
  // A leading zero makes no decimal number: `08` is a text.
  if (real.test(text) && !/^[-+]?0\d+$/.test(digits)) return double(Number(digits));
  const [, minus, infinite] = /^([-+]?)\.(inf|Inf|INF)$/.exec(text) ?? [];
  if (infinite) return minus === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^\.(?:nan|NaN|NAN)$/.test(text) ? Number.NaN : text;
}

function normalise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalise);
  return value instanceof Map
    ? mapOf([...value].map(([key, item]) => [String(key), normalise(item)]))
    : value;
}
