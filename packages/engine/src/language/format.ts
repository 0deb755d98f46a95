import { parseDocument } from 'yaml';
import { readYaml } from '../flow/yaml/readYaml.ts';

/**
 * The text with two spaces per level, at most one blank line and no blanks at line ends. Comments, quotes and
 * block texts stay. Undefined when the text cannot be read, or would change its meaning.
 */
export function formatFlow(text: string): string | undefined {
  const before = readYaml(text);
  if ('problem' in before) return undefined;
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  const printed = document.toString({
    lineWidth: 0,
    indent: 2,
    indentSeq: true,
    flowCollectionPadding: true,
  });
  const formatted = text.includes('\r\n') ? printed.replaceAll(/\r?\n/g, '\r\n') : printed;
  const after = readYaml(formatted);
  if ('problem' in after || JSON.stringify(after.data) !== JSON.stringify(before.data)) return undefined;
  return formatted;
}
