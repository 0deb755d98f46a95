import type { Breakpoint } from '@millrace/engine';
import type { ExecutorPort } from '../executor/executorPort.ts';

/** Resumes an execution that stopped at a breakpoint; `breakpoints` replaces the ones it stops at. */
export async function resumeFromBreakpoint(
  executionId: string,
  breakpoints: readonly Breakpoint[] | undefined,
  { executor }: { readonly executor: ExecutorPort },
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
