import { type Definition, defineTask } from '@millrace/plugin-kit';
import { z } from 'zod';

const mended = new Set<string>();

/** From now on tasks with this name succeed. */
export const mend = (name: string): void => {
  mended.add(name);
};

/** Fails until it is mended. */
export const breakable: Definition = defineTask({
  type: 'test.Breakable',
  title: 'For tests',
  description: 'For tests',
  examples: [],
  input: z.object({ name: z.string() }),
  output: z.object({ by: z.string() }),
  sideEffects: true,
  run: (_, { name }) => {
    if (!mended.has(name)) throw new Error(`${name} is broken`);
    return { by: name };
  },
});
