import type { ChaosReport } from './run.ts';

/** What happened and what came of it, for people. */
export function formatReport({
  database,
  seed,
  faults,
  executions,
  accepted,
  violations,
}: ChaosReport): string {
  const shown = violations.slice(0, 50);
  return [
    `${database}, seed ${seed}`,
    ...faults.map(({ name, count }) => `  ${String(count).padStart(4)} × ${name}`),
    `  ${accepted} requests accepted, ${executions} executions run`,
    violations.length === 0
      ? '  Nothing lost, nothing doubled: every invariant holds.'
      : `  ${violations.length} violations:`,
    ...shown.map((sentence) => `    - ${sentence}`),
    ...(violations.length > shown.length ? [`    … and ${violations.length - shown.length} more`] : []),
    '',
  ].join('\n');
}
