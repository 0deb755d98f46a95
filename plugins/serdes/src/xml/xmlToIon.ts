import { listOf, part, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { decodeText } from '../charset.ts';
import { charsetProperty, defineConverter, fromProperty, storeRows } from '../converter.ts';
import { readXmlElements } from './xmlReader.ts';

export const xmlToIon = defineConverter({
  type: 'serdes.xml.XmlToIon',
  title: 'Read XML as rows',
  description:
    'Turns an XML file into a file of rows. With `query` each element at that path is a row, read one at a time: use it for large files. Without it the whole document is read: when the root has nothing but elements of one name, each of them is a row, else the document is one row. Attributes and child elements are fields, children that repeat are lists, and text beside them is `content`.',
  aliases: ['serdes.xml.XmlReader'],
  input: () =>
    z.object({
      from: fromProperty(),
      charset: charsetProperty(),
      query: text()
        .optional()
        .describe('The path of the elements that become rows, such as `/catalog/book`; `*` is any name.'),
      parserConfiguration: part({
        forceList: listOf(text())
          .optional()
          .describe('Elements of these names are lists, also when there is only one.'),
      })
        .optional()
        .describe('How elements are read.'),
    }),
  examples: [
    {
      title: 'Each book of a catalog is a row.',
      runs: false,
      code: `id: books
namespace: company.team

inputs:
  - id: catalog
    type: FILE

tasks:
  - id: rows
    type: serdes.xml.XmlToIon
    from: "{{ inputs.catalog }}"
    query: /catalog/book
    parserConfiguration:
      forceList: [author]
`,
    },
  ],
  async convert(context, { from, charset, query, parserConfiguration }) {
    const texts = await decodeText(await context.files.read(from), charset);
    const format = {
      path: query === undefined ? undefined : pathOf(query),
      forceList: new Set(parserConfiguration?.forceList ?? []),
    };
    return storeRows(context, query === undefined ? documentRows() : elementRows());

    async function* elementRows(): AsyncGenerator<unknown> {
      for await (const { value } of readXmlElements(texts, format)) yield value;
    }
    async function* documentRows(): AsyncGenerator<unknown> {
      for await (const { name, value } of readXmlElements(texts, format)) {
        const items = value instanceof Map && value.size === 1 ? [...value.values()][0] : undefined;
        if (Array.isArray(items)) yield* items;
        else yield new Map([[name, value]]);
      }
    }
  },
});

function pathOf(query: string): string[] {
  const names = query.split('/').filter((name) => name !== '');
  const isPath = query.startsWith('/') && !query.startsWith('//') && names.length > 0;
  if (!isPath || names.some((name) => !/^(\*|[\p{L}_:][\p{L}\p{N}_:.-]*)$/u.test(name)))
    throw new TaskFailed(`"query" must be a path of element names such as /catalog/book, got "${query}".`, {
      retry: false,
    });
  return names;
}
