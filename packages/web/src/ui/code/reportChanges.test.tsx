import type { editor } from 'monaco-editor/editor';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { replaceText, reportChanges } from './reportChanges.ts';

/** The part of a model and its editor that reports need; a text of one line. */
function anEditor(text: string) {
  let value = text;
  const tell = { text: () => {}, cursor: (_: { source: string }) => {} };
  const disposable = { dispose: () => {} };
  const model = {
    getValue: () => value,
    getValueLength: () => value.length,
    getPositionAt: (offset: number) => ({ lineNumber: 1, column: offset + 1 }),
    onDidChangeContent: (listener: () => void) => {
      tell.text = listener;
      return disposable;
    },
    pushStackElement: () => {},
    pushEditOperations: (_: null[], [edit]: editor.IIdentifiedSingleEditOperation[]) => {
      if (!edit) return;
      const { startColumn, endColumn } = edit.range;
      value = value.slice(0, startColumn - 1) + edit.text + value.slice(endColumn - 1);
      tell.text();
    },
  };
  const code = {
    getPosition: () => ({ lineNumber: 1, column: value.length + 1 }),
    getDomNode: () => null,
    onDidChangeCursorPosition: (listener: typeof tell.cursor) => {
      tell.cursor = listener;
      return disposable;
    },
    onDidBlurEditorText: () => disposable,
  };
  const type = (letters: string) => {
    value += letters;
    tell.text();
    tell.cursor({ source: 'keyboard' });
  };
  // `as`: the parts above are all that is used.
  return { type, model: model as unknown as editor.ITextModel, code: code as unknown as editor.ICodeEditor };
}

const long = 'x'.repeat(5_000);
const onText = vi.fn<(text: string) => void>();
const onCursor = vi.fn<(line: number, column: number) => void>();
const listeners = { onText, onCursor };

beforeEach(() => {
  vi.useFakeTimers();
  onText.mockClear();
  onCursor.mockClear();
});
afterEach(() => void vi.useRealTimers());

it('reports each key of a short text before the next task', async () => {
  const { type, model, code } = anEditor('a');
  const reports = reportChanges(code, model, listeners);
  type('b');
  await Promise.resolve();
  expect(onText.mock.calls).toEqual([['ab']]);
  expect(onCursor.mock.calls).toEqual([[1, 3]]);
  reports.dispose();
});

it('reports a long text once, when typing pauses', () => {
  const { type, model, code } = anEditor(long);
  const reports = reportChanges(code, model, listeners);
  for (const key of 'abc') {
    type(key);
    vi.advanceTimersByTime(100);
  }
  expect(onText).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(onText.mock.calls).toEqual([[`${long}abc`]]);
  expect(onCursor).toHaveBeenCalledTimes(1);
  reports.dispose();
});

it('does not report a long text between the keys of a slow typist', () => {
  const { type, model, code } = anEditor(long);
  const reports = reportChanges(code, model, listeners);
  type('a');
  vi.advanceTimersByTime(140);
  type('b');
  vi.advanceTimersByTime(200);
  type('c');
  vi.advanceTimersByTime(260);
  type('d');
  expect(onText).not.toHaveBeenCalled();
  vi.advanceTimersByTime(400);
  expect(onText.mock.calls).toEqual([[`${long}abcd`]]);
  reports.dispose();
});

it.each([
  ['a shortcut', () => window.dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true }))],
  ['a click elsewhere', () => document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))],
  ['leaving the page', () => window.dispatchEvent(new Event('pagehide'))],
])('reports what was typed before %s', (_, act) => {
  const { type, model, code } = anEditor(long);
  const reports = reportChanges(code, model, listeners);
  type('a');
  act();
  expect(onText.mock.calls).toEqual([[`${long}a`]]);
  reports.dispose();
});

it('reports what was typed when the editor goes', () => {
  const { type, model, code } = anEditor(long);
  const reports = reportChanges(code, model, listeners);
  type('a');
  reports.dispose();
  expect(onText.mock.calls).toEqual([[`${long}a`]]);
});

it('a text that changes outside keeps what was typed meanwhile, unless both are at the same place', () => {
  const { type, model, code } = anEditor(`id: a ${long}`);
  const reports = reportChanges(code, model, listeners);
  type('typed');
  const outside = `id: another ${long}`;
  replaceText(model, outside, reports.reported());
  reports.take(outside);
  expect(model.getValue()).toBe(`${outside}typed`);
  vi.advanceTimersByTime(200);
  expect(onText.mock.calls).toEqual([[`${outside}typed`]]);

  type('more');
  replaceText(model, `${outside}other`, reports.reported());
  expect(model.getValue()).toBe(`${outside}other`);
  reports.dispose();
});
