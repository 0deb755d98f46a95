import { z } from 'zod';
import { Task } from './flow.ts';

/** A list of tasks that flows can share by `core.flow.Template`. It has no revisions. */
export const Template = z.object({
  tenantId: z.string().optional(),
  namespace: z.string(),
  id: z.string(),
  description: z.string().optional(),
  tasks: z.array(Task),
  errors: z.array(Task).optional(),
  deleted: z.boolean(),
  /** Why it cannot be read; it can be deleted or saved again. */
  exception: z.string().optional(),
});
export type Template = z.infer<typeof Template>;
