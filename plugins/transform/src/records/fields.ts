import { choice, flag, part, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type CastType, cast, castTypes, evaluate, type Scope, WrongRecord } from '../language/evaluate.ts';
import { type Node, parseExpression } from '../language/parse.ts';

/** A field of the new record: an expression, with a type and whether it may be missing when they matter. */
export const fieldProperty = () =>
  z.union([
    text(),
    part({
      expr: text().describe('The expression that gives the value.'),
      type: choice(castTypes).optional().describe('The type that the value is turned into.'),
      optional: flag().default(false).describe('Whether the value may be missing or null.'),
    }),
  ]);

export interface FieldChoice {
  readonly expr: string;
  readonly type?: CastType | undefined;
  readonly optional?: boolean | undefined;
}

export interface CompiledField {
  readonly name: string;
  readonly node: Node;
  readonly type: CastType | undefined;
  readonly isOptional: boolean;
}

export const compileFields = (fields: Readonly<Record<string, string | FieldChoice>>): CompiledField[] =>
  Object.entries(fields).map(([name, written]) => {
    const { expr, type, optional = false } = typeof written === 'string' ? { expr: written } : written;
    return { name, node: parseExpression(expr), type, isOptional: optional };
  });

export interface FieldRules {
  readonly dropNulls: boolean;
  /** The value of a field that cannot be evaluated; when absent, the error is thrown. */
  readonly onError?: (() => unknown) | undefined;
}

/** The fields as a record. A null in a required field is an error only when the field has a type. */
export function evaluateFields(
  fields: readonly CompiledField[],
  scope: Scope,
  { dropNulls, onError }: FieldRules,
): Map<string, unknown> {
  const record = new Map<string, unknown>();
  for (const field of fields) {
    const value = evaluateField(field, scope, onError);
    if (value !== null || !dropNulls) record.set(field.name, value);
  }
  return record;
}

function evaluateField(
  { name, node, type, isOptional }: CompiledField,
  scope: Scope,
  onError?: () => unknown,
): unknown {
  try {
    const value = evaluate(node, scope);
    if (value !== null) return type ? cast(value, type) : value;
    if (type && !isOptional) throw new WrongRecord('it is missing, and not optional');
    return null;
  } catch (error) {
    if (!(error instanceof WrongRecord)) throw error;
    if (onError) return onError();
    throw new WrongRecord(`the field "${name}": ${error.message}`);
  }
}

export const failedRecord = (number: number, error: WrongRecord): TaskFailed =>
  new TaskFailed(`Record ${number} cannot be transformed: ${error.message}.`, { retry: false });
