import { expect, it } from 'vitest';
import { yamlEnterRules } from './yamlEnterRules.ts';

/** The indentation of the line after Enter, as Monaco computes it from the first rule that matches. */
function indentationAfter(line: string): number {
  const action = yamlEnterRules.find(({ beforeText }) => beforeText.test(line))?.action;
  const before = line.length - line.trimStart().length;
  return before + (action?.indentAction === 1 ? 2 : 0) + (action?.appendText?.length ?? 0);
}

it.each([
  ['id: x', 0],
  ['tasks:', 2],
  ['tasks: # what is done', 2],
  ['  "a b":', 4],
  ['- id: x', 2],
  ['  - id: x', 4],
  ['  - id:', 6],
  ['  - id: x # first', 4],
  ['  -   id: x', 6],
  ['  - - id: x', 6],
  ['  - "id": x', 4],
  ["  - 'a b': x", 4],
  ['  - tasks:', 6],
  ['  - script: |', 6],
  ['  - script: >-  # folded', 6],
  ['  - values: [', 6],
  ['  - values: ["{{ a }}", {', 6],
  ['    message: |', 6],
  ['    message: |2-', 6],
  ['  - |', 4],
  ['  - plain text', 2],
  ['  - http://localhost:8080/a', 2],
  ['  - "a: b"', 2],
  ['  - {id: a, type: b}', 2],
  ['  - # nothing yet', 2],
  ['    message: a | b', 4],
  ['    message: "{{ a }}"', 4],
  ['    if x > 3:', 6],
  ['    - -x: 1', 6],
])('after %j the next line begins in column %i', (line, column) => {
  expect(indentationAfter(line)).toBe(column);
});
