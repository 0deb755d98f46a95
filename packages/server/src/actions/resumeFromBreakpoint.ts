import type { Breakpoint } from '@millrace/engine';
import type { Product } from '../product.ts';

/** Lets an execution go on that stopped at a breakpoint; with `breakpoints` it stops at those from now on. */
export async function resumeFromBreakpoint(
  executionId: string,
  breakpoints: readonly Breakpoint[] | undefined,
  { executor }: Pick<Product, 'executor'>,
): Promise<void> {
  await executor.request(executionId, {
    type: 'resumeFromBreakpoint',
    ...(breakpoints ? { breakpoints } : {}),
  });
}

/** `task` or `task.value`: ids of tasks hold no dots, values may. */
export function readBreakpoint(text: string): Breakpoint {
  const dot = text.indexOf('.');
  return dot < 0 ? { id: text } : { id: text.slice(0, dot), value: text.slice(dot + 1) };
}
