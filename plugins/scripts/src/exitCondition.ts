import { compileRegex } from '@millrace/expression';
import { isMap } from '@millrace/plugin-kit';

/** The condition that a script trigger waits for. */
export type ExitCondition =
  | { readonly kind: 'exit'; readonly code: number; readonly isNot: boolean; readonly text: string }
  | {
      readonly kind: 'output';
      readonly stream: 'stdout' | 'stderr';
      readonly part: string;
      readonly isNot: boolean;
      readonly text: string;
    }
  | { readonly kind: 'vars'; readonly text: string };

export const exitConditionWords =
  '`exit 0`, `exit not 0`, `stdout contains ready`, `stderr contains error`, `stdout not contains failed`, or a text or regular expression that is searched in the `vars` of the script, such as `status=ready`';

interface End {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly vars: Readonly<Record<string, unknown>>;
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
  return { kind: 'vars', text };
}

const unquoted = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;

export function holds(condition: ExitCondition, end: End): boolean {
  if (condition.kind === 'vars') return isIn(condition.text, end.vars);
  const isSo =
    condition.kind === 'exit'
      ? end.exitCode === condition.code
      : end[condition.stream].includes(condition.part);
  return isSo !== condition.isNot;
}

/** Searches the variables as JSON and as `{name=value}`, the form that flows of Kestra expect. */
function isIn(wanted: string, vars: End['vars']): boolean {
  const texts = [printed(vars), JSON.stringify(vars)];
  if (texts.some((text) => text.includes(wanted))) return true;
  try {
    const regex = compileRegex(wanted);
    return texts.some((text) => regex.matcher(text).find());
  } catch {
    // A text that is no regular expression was searched above.
    return false;
  }
}

function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`;
  if (!isMap(value)) return String(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${name}=${printed(each)}`)
    .join(', ')}}`;
}
