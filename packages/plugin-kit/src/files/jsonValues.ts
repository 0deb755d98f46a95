import { readJsonText } from './readIonText.ts';

export type JsonPath = readonly (string | number)[];

export interface JsonValueAt {
  readonly path: JsonPath;
  readonly value: unknown;
}

interface Container {
  readonly isList: boolean;
  step: string | number;
}

/**
 * Streams the values of a JSON document at the requested paths: `path` is `['rows', 3]` for the fourth row.
 * Only these values are in memory, so a response of any size can be read. Numbers keep all their digits.
 */
export async function* readJsonValues(
  content: AsyncIterable<Uint8Array>,
  isWanted: (path: JsonPath) => boolean,
): AsyncGenerator<JsonValueAt> {
  const decoder = new TextDecoder();
  const stack: Container[] = [];
  /** The text of a wanted value, and how many containers were open where it began. */
  let kept: string | undefined;
  let keptDepth = 0;
  /** The text of the last string or other scalar, which may be a key. */
  let token: string | undefined;
  let isString = false;
  let isEscaped = false;
  let expectsKey = false;
  const path = (): JsonPath => stack.map(({ step }) => step);
  const begin = () => {
    if (kept === undefined && !expectsKey && isWanted(path())) {
      kept = '';
      keptDepth = stack.length;
    }
  };
  const end = (): JsonValueAt | undefined => {
    token = undefined;
    if (kept === undefined || stack.length !== keptDepth) return undefined;
    const value = { path: path(), value: readJsonText(kept) };
    kept = undefined;
    return value;
  };
  for await (const chunk of content) {
    for (const character of decoder.decode(chunk, { stream: true })) {
      if (isString) {
        if (kept !== undefined) kept += character;
        else if (expectsKey) token += character;
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = true;
        else if (character === '"') {
          isString = false;
          if (!expectsKey) {
            const value = end();
            if (value) yield value;
          }
        }
        continue;
      }
      const top = stack.at(-1);
      if (character === ':' && top && expectsKey) {
        // `as`: a key of JSON is a string.
        top.step = kept === undefined ? (JSON.parse(token ?? '""') as string) : '';
        token = undefined;
        expectsKey = false;
        if (kept !== undefined) kept += character;
      } else if (character === ',' || character === '}' || character === ']') {
        if (token !== undefined && !expectsKey) {
          const value = end();
          if (value) yield value;
        }
        if (kept !== undefined) kept += character;
        if (character === ',') {
          if (top?.isList) top.step = Number(top.step) + 1;
          else expectsKey = true;
        } else {
          stack.pop();
          expectsKey = false;
          const value = end();
          if (value) yield value;
        }
      } else if (character === '{' || character === '[') {
        begin();
        if (kept !== undefined) kept += character;
        stack.push({ isList: character === '[', step: character === '[' ? 0 : '' });
        expectsKey = character === '{';
      } else if (character === '"') {
        begin();
        isString = true;
        if (kept !== undefined) kept += character;
        else token = expectsKey ? '"' : undefined;
      } else if (!/\s/.test(character)) {
        if (token === undefined) begin();
        token = 'scalar';
        if (kept !== undefined) kept += character;
      } else if (kept !== undefined) kept += character;
    }
  }
  if (token !== undefined) {
    const value = end();
    if (value) yield value;
  }
  if (stack.length > 0) throw new Error('The JSON text ends too early.');
}
