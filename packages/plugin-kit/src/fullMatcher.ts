import { compileRegex } from '@millrace/expression';
import { TaskFailed } from './failure.ts';

/** Tests whether a whole text matches; without a regular expression all do. `property` is for messages. */
export function createFullMatcher(regexp: string | undefined, property: string): (text: string) => boolean {
  if (regexp === undefined || regexp === '') return () => true;
  try {
    const regex = compileRegex(regexp);
    return (text) => regex.matches(text);
  } catch (error) {
    throw new TaskFailed(`"${property}" is not a regular expression: ${String(error)}`, { retry: false });
  }
}
