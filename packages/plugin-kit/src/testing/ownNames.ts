import type { z } from 'zod';

/** The sorted names of a type's own properties. */
export const ownNames = (input: z.ZodObject): string[] => Object.keys(input.shape).sort();
