import { AppError } from '@millrace/contract';
import { RE2JS } from 're2js';

const maxPatternLength = 1_000;

/**
 * Accepts only patterns that RE2 can run, which means: no back references, no look-around, time linear in the text.
 * SQLite runs them with RE2 itself. PostgreSQL runs its own engine: without those two constructs it matches with an
 * automaton, and the statement timeout of reads bounds the cost of a hostile pattern.
 */
export function compilePattern(pattern: string): RE2JS {
  if (pattern.length > maxPatternLength) {
    throw new AppError('illegal-argument', `A pattern may have at most ${maxPatternLength} characters.`);
  }
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    throw new AppError('illegal-argument', `${JSON.stringify(pattern)} is not a supported pattern.`, {
      cause,
    });
  }
}
