import { TaskFailed } from '@millrace/plugin-kit';

/** The condition that a script trigger waits for. */
export type ExitCondition =
  | { readonly kind: 'exit'; readonly code: number; readonly isNot: boolean; readonly text: string }
  | {
      readonly kind: 'output';
      readonly stream: 'stdout' | 'stderr';
      readonly part: string;
      readonly isNot: boolean;
      readonly text: string;
    };

export const exitConditionWords =
  '`exit 0`, `exit not 0`, `stdout contains ready`, `stderr contains error`, `stdout not contains failed`';

interface End {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function readExitCondition(written: string): ExitCondition {
  const text = written.trim();
  const exit = /^exit\s+(not\s+)?(\d{1,3})$/i.exec(text);
  if (exit) return { kind: 'exit', code: Number(exit[2]), isNot: exit[1] !== undefined, text };
  const said = /^(stdout|stderr)\s+(not\s+)?contains\s+(.+)$/is.exec(text);
  if (said) {
    return {
      kind: 'output',
      stream: said[1]?.toLowerCase() === 'stderr' ? 'stderr' : 'stdout',
      part: unquoted(said[3] ?? ''),
      isNot: said[2] !== undefined,
      text,
    };
  }
  throw new TaskFailed(`"${written}" is no exit condition; expected one like ${exitConditionWords}.`, {
    retry: false,
  });
}

const unquoted = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;

export function holds(condition: ExitCondition, end: End): boolean {
  const isSo =
    condition.kind === 'exit'
      ? end.exitCode === condition.code
      : end[condition.stream].includes(condition.part);
  return isSo !== condition.isNot;
}
