import type { TypeShape } from '@millrace/engine';
import type { Definition } from './definition.ts';
import { type JsonSchema, toJsonSchema } from './jsonSchema.ts';

const known = new WeakMap<Definition, TypeShape>();

/** What the checks of expressions and the editor need to know about a type. */
export function typeShape(definition: Definition): TypeShape {
  const shape = known.get(definition) ?? makeShape(definition);
  known.set(definition, shape);
  return shape;
}

function makeShape(definition: Definition): TypeShape {
  const { properties = {} } = toJsonSchema(definition.input) as { properties?: Record<string, JsonSchema> };
  const fixed = Object.entries(properties).flatMap(([name, { $dynamic }]) =>
    $dynamic === false ? [name] : [],
  );
  const raw = 'raw' in definition ? definition.raw : undefined;
  const renderWith = 'renderWith' in definition ? definition.renderWith : undefined;
  return {
    ...('output' in definition && { outputs: toJsonSchema(definition.output) }),
    ...(fixed.length > 0 && { fixed }),
    ...(raw && { raw }),
    ...(renderWith !== undefined && { addsVariables: true }),
  };
}
