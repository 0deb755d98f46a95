import { AppError, type FlowValidation, type Issue, tellViolations } from '@millrace/contract';

/** A validation problem and its property. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** No text may be saved that has problems. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new AppError('invalid-entity', tellViolations(problems).constraints ?? '', {
    errors: problems.map(({ path, message }) => (path === '' ? { message } : { path, message })),
  });
}

export const toValidation = (problems: readonly Problem[]): FlowValidation => ({
  index: 0,
  outdated: false,
  ...tellViolations(problems),
});

export const errorsOf = (issues: readonly Issue[]): Problem[] =>
  issues.filter(({ severity }) => severity === 'error').map(({ path, message }) => ({ path, message }));

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const join = (path: string, inner: string): string => (inner === '' ? path : `${path}.${inner}`);
