import { readTypedRows, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { charsetProperty, defineConverter, fromProperty, storeText } from '../converter.ts';
import { createTextFormatter, timeZoneProperty } from '../textWriter.ts';

export const ionToXml = defineConverter({
  type: 'serdes.xml.IonToXml',
  title: 'Write rows as XML',
  description:
    'Turns a file of rows into an XML file: each row is an `<item>` of the root element. Fields are elements, lists repeat their element, null is an empty element. Characters that a name in XML cannot have become `_`.',
  aliases: ['serdes.xml.XmlWriter'],
  input: () =>
    z.object({
      from: fromProperty(),
      charset: charsetProperty(),
      rootName: text().default('items').describe('The name of the root element.'),
      timeZoneId: timeZoneProperty(),
    }),
  examples: [
    {
      title: 'Write rows under the root `orders`.',
      runs: true,
      code: `id: rows_to_xml
namespace: company.team

inputs:
  - id: rows
    type: FILE

tasks:
  - id: xml
    type: serdes.xml.IonToXml
    from: "{{ inputs.rows }}"
    rootName: orders
`,
    },
  ],
  async convert(context, { from, charset, rootName, timeZoneId }) {
    if (toName(rootName) !== rootName)
      throw new TaskFailed(`"rootName" must be a name in XML, got "${rootName}".`, { retry: false });
    const format = createTextFormatter({
      dateFormat: 'yyyy-MM-dd',
      timeFormat: 'HH:mm:ss.SSSSSSSSS',
      dateTimeFormat: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
      timeZoneId,
    });
    let size = 0;
    async function* elements(): AsyncGenerator<string> {
      yield `<?xml version="1.0" encoding="${charset}"?>\n<${rootName}>\n`;
      for await (const row of readTypedRows(context, from)) {
        size++;
        yield toElement('item', Array.isArray(row) ? [row] : row, format, '  ');
      }
      yield `</${rootName}>\n`;
    }
    const uri = await storeText(context, 'rows.xml', elements(), charset);
    return { uri, size };
  },
});

type Format = (value: unknown) => string;

function toElement(name: string, value: unknown, format: Format, indent: string): string {
  if (Array.isArray(value)) {
    // A list inside a list has no name for its items.
    if (value.length === 0) return `${indent}<${name}/>\n`;
    return value
      .map((item) =>
        Array.isArray(item)
          ? `${indent}<${name}>\n${toElement('item', item, format, `${indent}  `)}${indent}</${name}>\n`
          : toElement(name, item, format, indent),
      )
      .join('');
  }
  if (value === null || value === undefined || value === '') return `${indent}<${name}/>\n`;
  if (isStruct(value)) {
    const children = Object.entries(value).map(([key, inner]) =>
      toElement(toName(key), inner, format, `${indent}  `),
    );
    return `${indent}<${name}>\n${children.join('')}${indent}</${name}>\n`;
  }
  return `${indent}<${name}>${escapeXml(format(value))}</${name}>\n`;
}

const isStruct = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function toName(key: string): string {
  const name = key.replace(/[^\p{L}\p{N}_.-]/gu, '_');
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}

/** Escapes text; replaces characters that XML 1.0 does not allow with the replacement character. */
function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}
