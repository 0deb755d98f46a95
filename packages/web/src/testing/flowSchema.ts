import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    flowSchema: Record<string, unknown>;
  }
}

/** The schema of flows as the server returns it, with every type that comes with the product. */
export const flowSchema = (): Record<string, unknown> => inject('flowSchema');
