import { messageOf, readJsonText } from '@millrace/plugin-kit';
import { linesOf } from '../charset.ts';
import { invalid, type JsonElement, jsonElements } from './jsonElements.ts';

/** The JSON values of a text: one a line, or the elements of one array. */
export async function* readJsonValues(
  texts: AsyncIterable<string>,
  isLines: boolean,
): AsyncGenerator<unknown, void, undefined> {
  for await (const element of isLines ? jsonLines(texts) : jsonElements(texts)) yield parseElement(element);
}

async function* jsonLines(texts: AsyncIterable<string>): AsyncGenerator<JsonElement, void, undefined> {
  let line = 0;
  for await (const text of linesOf(texts)) {
    line++;
    if (text.trim() !== '') yield { text, line };
  }
}

export function parseElement({ text, line }: JsonElement): unknown {
  try {
    return readJsonText(text);
  } catch (error) {
    throw invalid(line, messageOf(error).replace(/\.$/, ''));
  }
}
