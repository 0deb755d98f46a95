import { z } from 'zod';

export const MaintenanceView = z.object({
  isActive: z.boolean(),
  message: z.string().optional(),
  by: z.string().optional(),
  startedAt: z.iso.datetime().optional(),
  /** Users may start executions; triggers and webhooks may not. */
  allowManual: z.boolean().optional(),
  /** No task starts: running tasks finish, and executions wait with their next tasks. */
  areTasksHeld: z.boolean().optional(),
  /** The scheduler is paused by itself, whether or not maintenance is active. */
  schedulerPause: z.object({ at: z.iso.datetime(), by: z.string().optional() }).optional(),
});
export type MaintenanceView = z.infer<typeof MaintenanceView>;
