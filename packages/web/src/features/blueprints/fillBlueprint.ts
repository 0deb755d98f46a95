import type { Path } from '@millrace/engine';
import { editSource, isMap, readYamlData, valueAt } from '../forms/source/index.ts';

/** A value of a blueprint that its user most likely changes. */
export interface BlueprintField {
  readonly key: string;
  readonly kind: 'input' | 'variable' | 'placeholder';
  /** The name of the input or variable, or the text to replace. */
  readonly name: string;
  readonly value: string;
  readonly description?: string | undefined;
  /** Where the value is written. */
  readonly paths: readonly Path[];
}

/** Inputs with their defaults, variables, and texts that stand for something of the reader's own. */
export function fieldsOf(blueprint: string): BlueprintField[] {
  const data = readYamlData(blueprint);
  const inputs = listAt(data, 'inputs').flatMap((input, index): BlueprintField[] => {
    const [id, value] = [valueAt(input, ['id']), valueAt(input, ['defaults'])];
    const description = valueAt(input, ['displayName']) ?? valueAt(input, ['description']);
    if (typeof id !== 'string' || typeof value === 'object') return [];
    return [
      {
        key: `input ${id}`,
        kind: 'input',
        name: id,
        value: value === undefined ? '' : String(value),
        description: typeof description === 'string' ? description : undefined,
        paths: [['inputs', index, 'defaults']],
      },
    ];
  });
  const variables = Object.entries(mapAt(data, 'variables')).flatMap(([name, value]): BlueprintField[] =>
    typeof value === 'object' || value === undefined
      ? []
      : [
          {
            key: `variable ${name}`,
            kind: 'variable',
            name,
            value: String(value),
            paths: [['variables', name]],
          },
        ],
  );
  const placeholders = new Map<string, Path[]>();
  for (const list of ['tasks', 'triggers', 'errors', 'finally', 'pluginDefaults'])
    collect(valueAt(data, [list]), [list], placeholders);
  const texts = [...placeholders].map(
    ([text, paths]): BlueprintField => ({
      key: `placeholder ${text}`,
      kind: 'placeholder',
      name: text,
      value: text,
      paths,
    }),
  );
  return [...inputs, ...variables, ...texts];
}

/** The blueprint with the values that were typed; those of inputs become their defaults. */
export function fillBlueprint(
  blueprint: string,
  fields: readonly BlueprintField[],
  typed: Readonly<Record<string, string>>,
): string {
  return fields.reduce((source, { key, paths, value }) => {
    const next = typed[key];
    if (next === undefined || next === value || next === '') return source;
    return paths.reduce((text, path) => {
      const before = valueAt(readYamlData(text), path);
      return editSource(text, { kind: 'set', path, value: sameKind(before, next) });
    }, source);
  }, blueprint);
}

/** The names of the secrets that a blueprint reads. */
export const secretsOf = (blueprint: string): string[] => [
  ...new Set([...blueprint.matchAll(/\bsecret\(\s*["']([^"']+)["']/g)].map(([, name]) => name ?? '')),
];

/** Names that only examples have. */
const isPlaceholder = (text: string): boolean =>
  !text.includes('{{') && !text.includes('\n') && /example\.(com|org)|\bmy-[a-z]|\byour-[a-z]/.test(text);

function collect(value: unknown, path: Path, found: Map<string, Path[]>): void {
  if (typeof value === 'string' && isPlaceholder(value))
    found.set(value, [...(found.get(value) ?? []), path]);
  if (Array.isArray(value)) for (const [at, item] of value.entries()) collect(item, [...path, at], found);
  else if (isMap(value))
    for (const [name, item] of Object.entries(value)) collect(item, [...path, name], found);
}

/** A number stays a number and a switch a switch where the text says one. */
function sameKind(before: unknown, text: string): unknown {
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const listAt = (data: unknown, name: string): readonly unknown[] => {
  const value = valueAt(data, [name]);
  return Array.isArray(value) ? value : [];
};
const mapAt = (data: unknown, name: string): Readonly<Record<string, unknown>> => {
  const value = valueAt(data, [name]);
  return isMap(value) ? value : {};
};
