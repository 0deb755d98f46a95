import { AppError, type FlowValidation, type Issue } from '@millrace/contract';

/** What is wrong, and with which property. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** No text may be saved that has problems. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new AppError('invalid-entity', describeProblems(problems) ?? '', {
    errors: problems.map(({ path, message }) => (path === '' ? { message } : { path, message })),
  });
}

export function toValidation(problems: readonly Problem[]): FlowValidation {
  const constraints = describeProblems(problems);
  return { index: 0, outdated: false, ...(constraints === undefined ? {} : { constraints }) };
}

/** Clients split the text at its commas, so that none may stand inside a problem. */
function describeProblems(problems: readonly Problem[]): string | undefined {
  if (problems.length === 0) return undefined;
  return problems
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`).replaceAll(',', ';'))
    .join(', ');
}

export const errorsOf = (issues: readonly Issue[]): Problem[] =>
  issues.filter(({ severity }) => severity === 'error').map(({ path, message }) => ({ path, message }));

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const join = (path: string, inner: string): string => (inner === '' ? path : `${path}.${inner}`);
