import { branchName } from './branch.ts';
import { asSchema, type Definitions, isPlace, listOf, resolve, type Schema, textOf } from './schema.ts';

/** How a property is shown. */
export type Field = { readonly schema: Schema; readonly isDynamic: boolean } & Shape;

type Shape =
  | { readonly kind: 'enum'; readonly values: readonly unknown[] }
  | { readonly kind: 'constant'; readonly value: unknown }
  /** One thing of a type to choose, such as a condition or a task runner. */
  | { readonly kind: 'block'; readonly place: Schema }
  /** A list of elements that each have their own form. */
  | { readonly kind: 'blocks'; readonly items: Items }
  /** A text with words to choose from. */
  | { readonly kind: 'suggestions'; readonly values: readonly string[] }
  | { readonly kind: 'oneOf'; readonly branches: readonly Schema[] }
  /** Keys and texts, written as a map or as a list of `key` and `value`. */
  | { readonly kind: 'pairs' }
  | { readonly kind: 'dict'; readonly values: Schema }
  | { readonly kind: 'list'; readonly items: Schema }
  | Plain<'number' | 'boolean' | 'duration' | 'dateTime' | 'string' | 'object' | 'any'>
  | Plain<'namespace' | 'flowId' | 'subflowInputs'>;

type Plain<Kind extends string> = Kind extends string ? { readonly kind: Kind } : never;

/** What a list of things holds. */
export interface Items {
  readonly schema: Schema;
  /** Where their types are chosen from; without one they are all alike. */
  readonly place?: Schema;
  /** The property of each item that holds the typed thing, as in a Dag; otherwise the item is it. */
  readonly inside?: string;
}

interface Neighbours {
  /** What the property is called, and what its neighbours are. */
  readonly name?: string;
  readonly parent?: Schema;
}

/** Which field fits a property. The first rule that holds decides. */
export function fieldOf(
  definitions: Definitions,
  written: unknown,
  { name, parent }: Neighbours = {},
): Field {
  const resolved = resolve(definitions, written);
  const { schema, isDynamic } = withoutExpression(definitions, resolved);
  const shape = shapeOf(definitions, schema, {
    ...(name !== undefined && { name }),
    ...(parent && { parent }),
  });
  return { schema, isDynamic: isDynamic || resolved.$dynamic === true, ...shape };
}

function shapeOf(definitions: Definitions, schema: Schema, { name, parent }: Neighbours): Shape {
  const { type, additionalProperties } = schema;
  const properties = asSchema(parent?.properties);
  if (listOf(schema.enum).length > 0) return { kind: 'enum', values: listOf(schema.enum) };
  if (isPlace(schema)) return { kind: 'block', place: schema };
  if ('const' in schema) return { kind: 'constant', value: schema.const };
  if (name === 'inputs' && 'namespace' in properties && 'flowId' in properties)
    return { kind: 'subflowInputs' };
  const branches = branchesOf(definitions, schema);
  const words = suggestionsOf(branches);
  if (words) return { kind: 'suggestions', values: words };
  if (branches.length > 1) {
    return branches.some(isMapOfTexts) && branches.some(isListOfPairs)
      ? { kind: 'pairs' }
      : { kind: 'oneOf', branches };
  }
  const [only] = branches;
  if (only) return shapeOf(definitions, only, {});
  if (name === 'namespace') return { kind: 'namespace' };
  if (name === 'flowId' && 'namespace' in properties) return { kind: 'flowId' };
  if (type === 'integer' || type === 'number') return { kind: 'number' };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'array') return listShape(definitions, schema);
  if (typeof additionalProperties === 'object') {
    return { kind: 'dict', values: resolve(definitions, additionalProperties) };
  }
  if (type === 'string' && schema.format === 'duration') return { kind: 'duration' };
  if (type === 'string' && schema.format === 'date-time') return { kind: 'dateTime' };
  if (type === 'string' || listOf(type).includes('string')) return { kind: 'string' };
  if (type === 'object') {
    return Object.keys(asSchema(schema.properties)).length > 0
      ? { kind: 'object' }
      : { kind: 'dict', values: {} };
  }
  return { kind: 'any' };
}

function listShape(definitions: Definitions, schema: Schema): Shape {
  const items = resolve(definitions, schema.items);
  if (isPlace(items)) return { kind: 'blocks', items: { schema: items, place: items } };
  const properties = Object.entries(asSchema(items.properties));
  for (const [inside, property] of properties) {
    const place = resolve(definitions, property);
    if (isPlace(place) && listOf(items.required).includes(inside)) {
      return { kind: 'blocks', items: { schema: items, place, inside } };
    }
  }
  return properties.length > 0 ? { kind: 'blocks', items: { schema: items } } : { kind: 'list', items };
}

/** The alternatives of a schema, those inside alternatives included. */
export function branchesOf(definitions: Definitions, schema: Schema): Schema[] {
  const alternatives = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  return alternatives.flatMap((branch) => {
    const resolved = resolve(definitions, branch);
    const inner = branchesOf(definitions, resolved);
    return inner.length > 0 ? inner : [resolved];
  });
}

const expressionPattern = '.*{{.*}}.*';
const isExpressionBranch = (schema: Schema): boolean =>
  schema.type === 'string' && schema.pattern === expressionPattern;

/** "A value or an expression" is shown as the value, with a switch to write an expression instead. */
function withoutExpression(definitions: Definitions, schema: Schema): { schema: Schema; isDynamic: boolean } {
  const { anyOf, oneOf, ...rest } = schema;
  const branches = [...listOf(anyOf), ...listOf(oneOf)].map((branch) => resolve(definitions, branch));
  const values = branches.filter((branch) => !isExpressionBranch(branch));
  if (values.length === branches.length) return { schema, isDynamic: false };
  const [only] = values;
  return {
    schema: values.length === 1 && only ? { ...only, ...rest } : { ...rest, anyOf: values },
    isDynamic: true,
  };
}

/** Some words, or any other text. */
function suggestionsOf(branches: readonly Schema[]): string[] | undefined {
  const [words, text] = branches;
  const isFree = branches.length === 2 && text?.type === 'string' && Object.keys(text).length === 1;
  const values = listOf(words?.enum).filter((value) => typeof value === 'string');
  return isFree && values.length > 0 ? values : undefined;
}

const isMapOfTexts = (schema: Schema): boolean =>
  schema.type === 'object' && typeof schema.additionalProperties === 'object';
const isListOfPairs = (schema: Schema): boolean => {
  const properties = asSchema(asSchema(schema.items).properties);
  return schema.type === 'array' && 'key' in properties && 'value' in properties;
};

/** What kind of value it is, in the words of the schema. */
export function typeNameOf(field: Field): string {
  const { kind, schema } = field;
  if (field.kind === 'oneOf') return [...new Set(field.branches.map(branchName))].join(' | ');
  const plain: Partial<Record<Field['kind'], string>> = {
    pairs: 'map',
    dict: 'map',
    subflowInputs: 'map',
    block: 'object',
    blocks: 'array',
    list: 'array',
    any: 'any',
    enum: 'enum',
    suggestions: 'string',
    duration: 'duration',
    dateTime: 'date-time',
  };
  return plain[kind] ?? textOf(schema.type) ?? 'string';
}
