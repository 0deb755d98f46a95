import type { ComparedRuns } from '@millrace/engine';

interface Wanted {
  readonly q: string | undefined;
  /** Also task runs that are the same on both sides. */
  readonly all: boolean;
}

/** The positions of the task runs to list: those that match, with the control tasks around them. */
export function chooseRows(runs: readonly ComparedRuns[], { q, all }: Wanted): number[] {
  const words = (q ?? '').toLowerCase();
  const chosen = new Set<number>();
  for (const [index, { path, differences }] of runs.entries()) {
    if (!all && differences.length === 0) continue;
    if (words !== '' && !path.toLowerCase().includes(words)) continue;
    for (let at: number | undefined = index; at !== undefined && !chosen.has(at); at = runs[at]?.parent)
      chosen.add(at);
  }
  return [...chosen].sort((a, b) => a - b);
}
