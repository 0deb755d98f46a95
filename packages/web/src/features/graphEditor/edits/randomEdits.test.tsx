import { parseFlow, placedTasks } from '@millrace/engine';
import { renderHook } from '@testing-library/react';
import fc from 'fast-check';
import { act } from 'react';
import { expect, it } from 'vitest';
import { useTextHistory } from '../../../state/useTextHistory.ts';
import { insertElement, moveElement, removeElement, setElementDisabled } from './graphEdits.ts';
import { duplicateElement } from './renameElement.ts';
import type { Part, Slot } from './slot.ts';

const start = `# head
id: random
namespace: tests
tasks:
  # one
  - id: a
    type: core.log.Log # in line
    message: |
      text

      more
  - id: p
    type: core.flow.Parallel
    tasks:
      # inner
      - id: b
        type: core.log.Log
        message: "x: {{ outputs.a.value }}" # kept
      - id: s
        type: core.flow.Sequential
        tasks:
          - id: c
            type: core.log.Log
            message: 'quoted'

  - id: i
    type: core.flow.If
    condition: "{{ true }}"
    then:
      - id: d
        type: core.log.Log
        message: yes please
  - id: dag
    type: core.flow.Dag
    tasks:
      - task:
          id: e
          type: core.log.Log
          message: e
      # needs e
      - task:
          id: f
          type: core.log.Log
          message: f
        dependsOn: [e]
`;

const idsOf = (text: string) => placedTasks(parseFlow(text).flow!).map(({ task }) => task.id);
const commentsOf = (text: string) => (text.match(/#.*$/gm) ?? []).toSorted();

/** One edit, as numbers that are read against the tasks that there are. */
const step = fc.record({
  kind: fc.constantFrom('insert', 'move', 'duplicate', 'disable', 'remove'),
  subject: fc.nat(50),
  anchor: fc.nat(50),
  place: fc.constantFrom('before', 'after', 'inside'),
});

/** Takes the only task, with a comment behind its last line, out of its list. */
const lastOfItsList = [
  { kind: 'remove', subject: 3, anchor: 0, place: 'before' },
  { kind: 'move', subject: 2, anchor: 0, place: 'before' },
];

it('any graph edits keep the flow readable, its ids unique and its comments', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const history = [start];
      for (const { kind, subject, anchor, place } of steps) {
        const text = history.at(-1)!;
        const ids = idsOf(text);
        if (ids.length === 0) break;
        const part: Part = { kind: 'task', id: ids[subject % ids.length]! };
        const other = ids[anchor % ids.length]!;
        const slot: Slot =
          place === 'inside'
            ? { at: 'inside', id: 'p', branch: ['tasks'] }
            : { at: place as 'before', part: { kind: 'task', id: other } };
        const next = ((): string | undefined => {
          if (kind === 'insert')
            return insertElement(text, slot, {
              id: `n${history.length}`,
              type: 'core.log.Log',
              message: 'm',
            });
          if (kind === 'move') return moveElement(text, part, slot);
          if (kind === 'duplicate') return duplicateElement(text, part)?.source;
          if (kind === 'disable') return setElementDisabled(text, part, anchor % 2 === 0);
          return removeElement(text, part);
        })();
        if (next === undefined) continue;
        history.push(next);
        const parsed = parseFlow(next);
        const before = new Set(parseFlow(text).issues.map(({ message }) => message));
        const wrong = parsed.issues.filter(
          ({ severity, message }) =>
            severity === 'error' && !before.has(message) && !/at least one task|empty/.test(message),
        );
        expect(wrong, next).toEqual([]);
        const after = idsOf(next);
        expect(new Set(after).size).toBe(after.length);
        if (kind === 'move') expect(after.toSorted()).toEqual(ids.toSorted());
        if (kind === 'move' || kind === 'insert' || kind === 'disable')
          expect(commentsOf(next), `${text}\n=>\n${next}`).toEqual(commentsOf(text));
      }
    }),
    { numRuns: 25, examples: [[lastOfItsList]] },
  );
});

it('undo goes back over graph edits to the exact text, in the history that all views share', () => {
  let text = start;
  const { result, rerender } = renderHook(() =>
    useTextHistory(text, (next) => {
      text = next;
    }),
  );
  const write = (next: string | undefined) => {
    act(() => result.current.write(next ?? '', ''));
    rerender();
  };
  write(moveElement(text, { kind: 'task', id: 'a' }, { at: 'inside', id: 'p', branch: ['tasks'] }));
  write(duplicateElement(text, { kind: 'task', id: 'p' })?.source);
  write(removeElement(text, { kind: 'task', id: 'dag' }));
  const edited = text;
  const step = (move: 'undo' | 'redo') => {
    act(() => result.current[move]());
    rerender();
  };
  for (let steps = 0; steps < 3; steps++) step('undo');
  expect(text).toBe(start);
  for (let steps = 0; steps < 3; steps++) step('redo');
  expect(text).toBe(edited);
  // A copy that was deleted again comes back, although the text is the one from before the copy.
  write(duplicateElement(text, { kind: 'task', id: 'a' })?.source);
  const copied = text;
  expect(copied).not.toBe(edited);
  write(edited);
  step('undo');
  expect(text).toBe(copied);
});
