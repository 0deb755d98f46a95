import { expect, it } from 'vitest';
import { readYaml } from '../flow/yaml/readYaml.ts';
import { scalarOffsets } from './scalarOffsets.ts';

it.each([
  ['plain', 'a: x {{ mark }} y\n'],
  ['double-quoted', 'a: "x {{ mark }} y"\n'],
  ['escaped', 'a: "x \\"\\t\\u00e9\\n {{ mark }} y"\n'],
  ['single-quoted', "a: 'it''s {{ mark }} y'\n"],
  ['literal', 'a: |\n  first\n    {{ mark }}\n  y\n'],
  ['literal with an indicator', 'a: |2-\n    first\n    {{ mark }}\n'],
  ['folded', 'a: >-\n  first\n  second {{ mark }}\n\n  y\n'],
  ['plain over lines', 'a: first\n  second\n  {{ mark }} y\nb: 1\n'],
  ['double-quoted over lines', 'a: "first \\\n  second\n\n  {{ mark }} y"\n'],
])('maps offsets of a %s text to the document', (_, text) => {
  const reading = readYaml(text);
  if ('problem' in reading || reading.root.kind !== 'map') throw new Error('not readable');
  const node = reading.root.entries[0]?.value;
  if (node?.kind !== 'scalar') throw new Error('no scalar');
  const offset = scalarOffsets(text, node)(node.text.indexOf('mark'));
  expect(text.slice(offset, offset + 4)).toBe('mark');
});
