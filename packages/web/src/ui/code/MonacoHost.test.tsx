import { MantineProvider } from '@mantine/core';
import { act, render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { writeSetting } from '../../storage/settings.ts';
import type { MonacoModule } from './loadMonaco.ts';
import { MonacoHost } from './MonacoHost.tsx';

const text = 'id: a\nmessage: |\n  one\n  two\n';

/** What of Monaco the host uses; the real one needs a real browser. */
function aMonaco() {
  const model = {
    onDidChangeContent: () => ({ dispose: () => {} }),
    onDidChangeDecorations: (tell: () => void) => {
      tell();
      return { dispose: () => {} };
    },
    dispose: () => {},
    getValue: () => text,
    getLineCount: () => text.split('\n').length,
    getLinesContent: () => text.split('\n'),
  };
  const code = {
    addAction: () => {},
    onDidChangeCursorPosition: () => ({ dispose: () => {} }),
    onDidBlurEditorText: () => ({ dispose: () => {} }),
    onKeyDown: () => {},
    getContribution: () => null,
    onMouseDown: () => {},
    updateOptions: vi.fn(),
    trigger: vi.fn(),
    hasTextFocus: () => false,
    getModel: () => model,
    dispose: () => {},
  };
  const editor = {
    createModel: () => model,
    create: () => code,
    defineTheme: () => {},
    setTheme: () => {},
    setModelMarkers: () => {},
    remeasureFonts: () => {},
  };
  const monaco = { editor, Uri: { parse: (uri: string) => uri }, KeyCode: {}, KeyMod: {} };
  return { code, module: { monaco } as unknown as MonacoModule }; // The part above.
}
const show = (module: MonacoModule) =>
  render(<MonacoHost module={module} value={text} language="plaintext" ariaLabel="text" />, {
    wrapper: MantineProvider,
  });

it('S2-2s.11 S2-2s.13 the editor has the font of the settings, and follows them at once', () => {
  writeSetting('editorFontSize', 16);
  writeSetting('editorFontFamily', 'Menlo');
  const { code, module } = aMonaco();
  show(module);
  expect(code.updateOptions).toHaveBeenCalledWith(
    expect.objectContaining({ fontSize: 16, fontFamily: expect.stringMatching(/^"Menlo"/) }),
  );
  act(() => writeSetting('editorFontSize', 20));
  expect(code.updateOptions).toHaveBeenLastCalledWith(expect.objectContaining({ fontSize: 20 }));
});

it('S2-2s.14 texts over several lines are folded when the settings ask for it, and not otherwise', () => {
  const plain = aMonaco();
  show(plain.module);
  expect(plain.code.trigger).not.toHaveBeenCalled();
  writeSetting('autoFold', true);
  const folded = aMonaco();
  show(folded.module);
  expect(folded.code.trigger).toHaveBeenCalledWith('millrace', 'editor.fold', {
    selectionLines: [1],
    levels: 1,
  });
});
