import type { TypeShape } from '../catalogue.ts';

/** A type as the editor knows it from its schema. */
export interface KnownType {
  readonly type: string;
  /** Every name under which a flow may write it. */
  readonly names: readonly string[];
  readonly shape: TypeShape;
  readonly required: readonly string[];
  /** The JSON Schemas of the required properties. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface KnownFlow {
  readonly namespace: string;
  readonly id: string;
  readonly inputs: readonly { readonly id: string; readonly type: string }[];
}

/** The values of an execution, as its expressions read them. */
export interface ExecutionValues {
  readonly id: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Everything outside of the text that the language service may use. Each part may be missing. */
export interface LanguageContext {
  readonly types: readonly KnownType[];
  readonly kvKeys?: readonly string[];
  readonly secrets?: readonly string[];
  readonly files?: readonly string[];
  readonly flows?: readonly KnownFlow[];
  readonly workerGroups?: readonly string[];
  readonly labels?: readonly string[];
  readonly lastExecution?: ExecutionValues;
}

const byName = new WeakMap<LanguageContext['types'], ReadonlyMap<string, KnownType>>();

export function typeNamed({ types }: LanguageContext, name: string): KnownType | undefined {
  let known = byName.get(types);
  if (!known) {
    known = new Map(types.flatMap((type) => type.names.map((each) => [each, type] as const)));
    byName.set(types, known);
  }
  return known.get(name);
}

export const shapesOf =
  (context: LanguageContext) =>
  (type: string): TypeShape | undefined =>
    typeNamed(context, type)?.shape;
