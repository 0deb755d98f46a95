import type { z } from 'zod';

/** The names of the properties that a type has of its own, in order. */
export const ownNames = (input: z.ZodObject): string[] => Object.keys(input.shape).sort();
