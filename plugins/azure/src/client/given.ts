import { TaskFailed } from '@millrace/plugin-kit';
import type { z } from 'zod';

/** A message of the property `from`; one of another shape fails the task with the name of the field. */
export function readGiven<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') || 'the message';
  throw new TaskFailed(
    `A message of "from" is not valid: ${field}: ${issue?.message ?? 'invalid value'}, got ${JSON.stringify(value)?.slice(0, 200)}.`,
    { retry: false },
  );
}
