import { pathAtOffset } from '../flow/yaml/locate.ts';
import { type LanguageContext, typeNamed } from './context.ts';
import { type FlowDocument, nodeAt } from './document.ts';

/** The properties that the task or trigger around the cursor must have and does not have yet. */
export function requiredAt({ root, cursor }: FlowDocument, context: LanguageContext): string[] {
  const path = pathAtOffset(root, cursor);
  for (const length of [path.length, path.length - 1]) {
    const node = length < 0 ? undefined : nodeAt(root, path.slice(0, length))?.node;
    if (node?.kind !== 'map') continue;
    const type = node.entries.find(({ key }) => key.text === 'type')?.value;
    const known = type?.kind === 'scalar' ? typeNamed(context, type.text) : undefined;
    const written = new Set(node.entries.map(({ key }) => key.text));
    return (known?.required ?? []).filter((name) => !written.has(name));
  }
  return [];
}
