import { expect, test } from 'vitest';
import { toMarkers } from './markers.ts';

const range = (line: number, column: number, endLine: number, endColumn: number) => ({
  start: { line, column },
  end: { line: endLine, column: endColumn },
});

test.each([
  [
    'the range of the issue',
    { severity: 'error', path: 'tasks[0]', message: 'No.', range: range(3, 5, 4, 7) } as const,
    { severity: 8, message: 'No.', startLineNumber: 3, startColumn: 5, endLineNumber: 4, endColumn: 7 },
  ],
  [
    'one character when the range has no length',
    { severity: 'warning', path: '', message: 'Hm.', range: range(2, 2, 2, 2) } as const,
    { severity: 4, startColumn: 2, endColumn: 3 },
  ],
  [
    'the first line, with the path in words, when there is no range',
    { severity: 'info', path: 'inputs', message: 'So.' } as const,
    { severity: 2, message: 'inputs: So.', startLineNumber: 1, startColumn: 1, endLineNumber: 1 },
  ],
  [
    'a deprecation struck through',
    { severity: 'deprecation', path: 'a', message: 'Old.' } as const,
    { severity: 1, tags: [2] },
  ],
])('a marker covers %s', (_, issue, marker) => {
  expect(toMarkers([issue])).toEqual([expect.objectContaining(marker)]);
});
