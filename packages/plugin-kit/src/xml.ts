import type { SaxesParser } from 'saxes';
import { importModule } from './importModule.ts';

/** An element of a small XML document: its text and its children in order. */
export interface XmlElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

export async function readXml(text: string): Promise<XmlElement> {
  const { SaxesParser: Parser } = await importModule<{ SaxesParser: typeof SaxesParser }>('saxes');
  const parser = new Parser();
  const root: XmlElement = { name: '', text: '', children: [] };
  const path = [root];
  parser.on('opentag', ({ name }) => {
    const element: XmlElement = { name, text: '', children: [] };
    path.at(-1)?.children.push(element);
    path.push(element);
  });
  parser.on('text', (piece) => {
    const element = path.at(-1);
    if (element) element.text += piece;
  });
  parser.on('closetag', () => void path.pop());
  parser.write(text).close();
  return root.children[0] ?? root;
}

/** The first element at a path of names below. */
export function findElement(
  element: XmlElement | undefined,
  ...names: readonly string[]
): XmlElement | undefined {
  let at = element;
  for (const name of names) at = at?.children.find((child) => child.name === name);
  return at;
}

export const findElements = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

export const textAt = (element: XmlElement | undefined, ...names: readonly string[]): string | undefined =>
  findElement(element, ...names)?.text;

/** The `member`s of a list in a response of the query protocol. */
export const membersAt = (element: XmlElement | undefined, ...names: readonly string[]): XmlElement[] =>
  findElements(findElement(element, ...names), 'member');

const entities: Readonly<Record<string, string>> = {
  '<': 'lt',
  '>': 'gt',
  '&': 'amp',
  '"': 'quot',
  "'": 'apos',
};

export function toXml(element: string, text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys may have them, and XML cannot
  const escaped = text.replace(/[<>&"'\x00-\x1f\x7f]/g, (character) =>
    character in entities ? `&${entities[character]};` : `&#${character.charCodeAt(0)};`,
  );
  return `<${element}>${escaped}</${element}>`;
}
