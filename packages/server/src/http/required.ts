import { AppError } from '@millrace/contract';

/** A required query parameter: a missing value is a 400, an invalid value a 422. */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined || value === '')
    throw new AppError('bad-request', `the parameter "${name}" is missing`);
  return value;
}
