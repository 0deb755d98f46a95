import { z } from 'zod';

/** Flows and how they start each other. */
export const FlowTopology = z.object({
  nodes: z.array(
    z.object({
      uid: z.string(),
      tenantId: z.string().optional(),
      /** Missing when the reader may not see the flow. */
      namespace: z.string().optional(),
      id: z.string(),
    }),
  ),
  edges: z.array(
    z.object({ source: z.string(), target: z.string(), relation: z.enum(['FLOW_TASK', 'FLOW_TRIGGER']) }),
  ),
});
export type FlowTopology = z.infer<typeof FlowTopology>;
