import { TaskFailed } from '@millrace/plugin-kit';

const written = new Map([
  ['\\t', '\t'],
  ['\\|', '|'],
  ['\\0', '\0'],
]);

/** A property that is one character; `\t` may be written with a backslash. */
export function oneCharacter(property: string, value: string): string {
  const character = written.get(value) ?? value;
  if (character.length !== 1 || character === '\n' || character === '\r')
    throw new TaskFailed(`"${property}" must be one character, got "${value}".`, { retry: false });
  return character;
}
