import { HttpRefusal } from './problem.ts';

/** A larger response would take the memory of the server, and few clients could read it. */
const maxReplyCharacters = 100_000_000;

/** The JSON text of a response, or a refusal when it is too large to send. */
export function toBoundedJson(reply: unknown, maxCharacters = maxReplyCharacters): string {
  let text: string;
  try {
    text = JSON.stringify(reply);
  } catch (error) {
    // The longest text that the runtime can hold.
    if (error instanceof RangeError && error.message.includes('string length')) throw tooLarge(maxCharacters);
    throw error;
  }
  if (text.length > maxCharacters) throw tooLarge(maxCharacters);
  return text;
}

const tooLarge = (maxCharacters: number): HttpRefusal =>
  new HttpRefusal(
    422,
    'Response too large',
    `the response has more than ${maxCharacters / 1_000_000} MB; ask for less, for example with a smaller "size" or more filters`,
  );
