import { act, renderHook } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { useTextHistory } from './useTextHistory.ts';

/** A text that two views change: letters by a code editor, values by a form. */
function show() {
  const { result } = renderHook(() => {
    const [text, setText] = useState('a');
    return { text, setText, history: useTextHistory(text, setText) };
  });
  const run = (change: (now: typeof result.current) => void) => act(() => change(result.current));
  return { text: () => result.current.text, history: () => result.current.history, run };
}

it('goes back over the changes of every view in turn, and forward again', () => {
  const { text, history, run } = show();
  run(({ history: { write } }) => write('ab', 'text'));
  run(({ history: { write } }) => write('ab form', 'tasks[0].message'));
  expect(history().past).toEqual(['a', 'ab']);
  run(({ history: { undo } }) => undo());
  expect(text()).toBe('ab');
  run(({ history: { undo } }) => undo());
  expect([text(), history().canUndo]).toEqual(['a', false]);
  expect(history().future).toEqual(['ab', 'ab form']);
  run(({ history: { redo } }) => redo());
  run(({ history: { redo } }) => redo());
  expect([text(), history().canRedo]).toEqual(['ab form', false]);
});

it('what is typed in one go is one step, and changes in one event build on each other', () => {
  const { text, history, run } = show();
  for (const typed of ['ab', 'abc', 'abcd']) run(({ history: { write } }) => write(typed, 'text'));
  expect(history().past).toEqual(['a']);
  run(({ history: { write, latest } }) => {
    write(`${latest()}1`, '');
    write(`${latest()}2`, '');
  });
  expect(text()).toBe('abcd12');
});

it('a view that goes back by itself makes no new change of it', () => {
  const { history, run } = show();
  run(({ history: { write } }) => write('ab', ''));
  run(({ history: { write } }) => write('a', 'text'));
  expect([history().past, history().canRedo]).toEqual([[], true]);
  run(({ history: { write } }) => write('ab', 'text'));
  expect([history().past, history().canRedo]).toEqual([['a'], false]);
});

it('a text that changed by other hands begins a new history', () => {
  const { history, run } = show();
  run(({ history: { write } }) => write('ab', ''));
  run(({ setText }) => setText('another revision'));
  expect([history().canUndo, history().canRedo, history().past]).toEqual([false, false, []]);
});
