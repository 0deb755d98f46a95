import { z } from 'zod';

export const Label = z.object({ key: z.string().min(1), value: z.string() });
export type Label = z.infer<typeof Label>;

/** Labels with this prefix belong to the product; users may not set them. */
export const systemLabelPrefix = 'system.';
