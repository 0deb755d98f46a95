import type { ChaosReport } from './run.ts';
import type { SweepReport } from './sweep/sweep.ts';

/** The faults and their outcome as readable text. */
export function formatReport({
  database,
  seed,
  faults,
  executions,
  accepted,
  lines,
  violations,
}: ChaosReport): string {
  return [
    `${database}, seed ${seed}`,
    ...faults.map(({ name, count }) => `  ${String(count).padStart(4)} × ${name}`),
    `  ${accepted} requests accepted, ${executions} executions run, ${lines} log lines stored`,
    ...tellViolations(violations),
    '',
  ].join('\n');
}

export const formatSweep = (database: string, { crashes, violations }: SweepReport): string =>
  [
    `${database}, killed at one call after the other`,
    `  ${crashes} crashes`,
    ...tellViolations(violations),
    '',
  ].join('\n');

function tellViolations(violations: readonly string[]): string[] {
  const shown = violations.slice(0, 50);
  return [
    violations.length === 0
      ? '  Nothing lost, nothing doubled: every invariant holds.'
      : `  ${violations.length} violations:`,
    ...shown.map((sentence) => `    - ${sentence}`),
    ...(violations.length > shown.length ? [`    … and ${violations.length - shown.length} more`] : []),
  ];
}
