const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The texts of an element, at any depth: the XML responses of object storage are flat. */
export function textsOf(xml: string, element: string): string[] {
  const found = xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'));
  return [...found].map(([, text = '']) => unescapeXml(text));
}

/** The inner XML of every such element. */
export function partsOf(xml: string, element: string): string[] {
  const found = xml.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'));
  return [...found].map(([, inner = '']) => inner);
}

export function toXml(element: string, text: string): string {
  const escaped = text.replace(/[<>&"']|[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`);
  return `<${element}>${escaped}</${element}>`;
}

function unescapeXml(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (whole, number: string | undefined, name: string) => {
    if (number === undefined) return entities[name] ?? whole;
    return String.fromCodePoint(Number.parseInt(name, number === '#x' ? 16 : 10));
  });
}
