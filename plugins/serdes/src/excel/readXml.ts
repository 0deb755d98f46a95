import { importModule, messageOf, TaskFailed } from '@millrace/plugin-kit';

export type XmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** Streams the elements of an XML file, with names without prefix. */
export async function* readXml(content: AsyncIterable<Uint8Array>): AsyncGenerator<XmlEvent> {
  const { SaxesParser } = await importModule<typeof import('saxes')>('saxes');
  const parser = new SaxesParser();
  let events: XmlEvent[] = [];
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.on('error', (error) => {
    throw new TaskFailed(`The workbook is damaged: ${messageOf(error)}`, { retry: false });
  });
  // `as`: without namespaces the attributes are a plain map.
  parser.on('opentag', ({ name, attributes }) =>
    events.push({ kind: 'open', name: local(name), attributes: attributes as Record<string, string> }),
  );
  parser.on('closetag', ({ name }) => events.push({ kind: 'close', name: local(name) }));
  parser.on('text', (text) => events.push({ kind: 'text', text }));
  const decoder = new TextDecoder();
  for await (const chunk of content) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield* events;
    events = [];
  }
  parser.write(decoder.decode()).close();
  yield* events;
}
