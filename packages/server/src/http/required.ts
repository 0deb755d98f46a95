import { AppError } from '@millrace/contract';

/** A query parameter that must be there; a missing one is 400, where one that cannot be read is 422. */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined || value === '')
    throw new AppError('bad-request', `the parameter "${name}" is missing`);
  return value;
}
