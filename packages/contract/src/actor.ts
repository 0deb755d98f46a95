import { z } from 'zod';

/** Who or what caused a change. */
export const Actor = z.object({
  /** `anonymous`: a caller while authentication is off. `system`: the product itself. */
  type: z.enum(['user', 'anonymous', 'trigger', 'schedule', 'execution', 'system']),
  /** The user name, the id of the trigger, or the id of the execution. */
  id: z.string().optional(),
  /** Whether a user or an anonymous caller came through the web app or called the API. */
  via: z.enum(['web', 'api']).optional(),
  /** The name of the API token that the user's program signed in with. */
  token: z.string().optional(),
});
export type Actor = Readonly<z.infer<typeof Actor>>;
