import type { Issue } from '@millrace/contract';
import type { z } from 'zod';
import { isExpression } from './dynamic.ts';
import { describeIssue, joinPath, valueAt } from './propertyIssue.ts';
import { metaOf, schemasAlong, shapeOf } from './schemaPath.ts';
import type { Properties } from './values.ts';

type ZodIssue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Checks the properties of a definition as written. Expressions are accepted wherever a property is rendered.
 * A literal of the wrong shape in a rendered property is a warning, because only the rendered value counts,
 * and it is validated when the task runs. Rendering cannot fix missing, unknown and static properties, so
 * these are errors. With `isRendered: false` (a dashboard) everything is an error.
 */
export function checkProperties(
  schema: z.ZodObject,
  properties: Properties,
  { isRendered = true }: { readonly isRendered?: boolean } = {},
): readonly Issue[] {
  const written = dropNulls(properties);
  const result = schema.safeParse(written);
  const problems = result.success
    ? []
    : result.error.issues.flatMap((issue) => toIssues(schema, written, issue, isRendered));
  return [...problems, ...deprecations(schema, written)];
}

/** A property without a value (`level:`) counts as not written. */
export function dropNulls(properties: Properties): Properties {
  const hasNulls = Object.values(properties).some((value) => value === null || value === undefined);
  if (!hasNulls) return properties;
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== null && value !== undefined),
  );
}

function toIssues(schema: z.ZodObject, written: Properties, issue: ZodIssue, isRendered: boolean): Issue[] {
  if (isForgiven(schema, written, issue)) return [];
  if (issue.code === 'unrecognized_keys') {
    const owner = issue.path.length === 0 ? schema : schemasAlong(schema, issue.path).at(-1);
    const known = Object.keys((owner && shapeOf(owner)) ?? {});
    return issue.keys.map((key) => ({
      severity: 'error',
      path: joinPath([...issue.path, key]),
      message: `Unrecognized field "${key}"${known.length > 0 ? `; known fields: ${known.join(' ')}` : ''}`,
    }));
  }
  const meant = issue.code === 'invalid_union' ? meantBranch(issue.errors) : undefined;
  if (meant) {
    return meant.flatMap((inner) =>
      toIssues(schema, written, { ...inner, path: [...issue.path, ...inner.path] }, isRendered),
    );
  }
  const isMissing = (valueAt(written, issue.path) ?? undefined) === undefined;
  const severity = isRendered && !isMissing && !isStatic(schema, issue.path) ? 'warning' : 'error';
  return [{ severity, path: joinPath(issue.path), message: describeIssue(issue, written) }];
}

/** The branch of a union that fits the value as a whole and only fails further in. */
const meantBranch = (branches: readonly (readonly ZodIssue[])[]) =>
  branches.find(
    (branch) => !branch.some((issue) => issue.path.length === 0 && issue.code === 'invalid_type'),
  );

/** True when the Zod issue is about an expression, or about a value of the intended union branch. */
function isForgiven(schema: z.ZodType, written: unknown, issue: ZodIssue, at: Path = []): boolean {
  const path = [...at, ...issue.path];
  if (isStatic(schema, path)) return false;
  if (holdsExpression(written, path)) return true;
  return (
    issue.code === 'invalid_union' &&
    issue.errors.some((branch) => branch.every((inner) => isForgiven(schema, written, inner, path)))
  );
}

const isStatic = (schema: z.ZodType, path: Path): boolean =>
  schemasAlong(schema, path).some((step) => metaOf(step).$dynamic === false);

/** An expression at the path or anywhere above it. */
function holdsExpression(written: unknown, path: Path): boolean {
  return path.some((_, index) => isExpression(valueAt(written, path.slice(0, index + 1))));
}

const deprecations = (schema: z.ZodObject, written: Properties): Issue[] =>
  Object.keys(written)
    .filter((name) => schema.shape[name] && metaOf(schema.shape[name] as z.ZodType).$deprecated === true)
    .map((name) => ({
      severity: 'deprecation',
      path: name,
      message: `"${name}" is deprecated. ${metaOf(schema.shape[name] as z.ZodType).description ?? ''}`.trim(),
    }));
