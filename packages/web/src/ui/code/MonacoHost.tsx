import { useComputedColorScheme } from '@mantine/core';
import type { editor } from 'monaco-editor/editor';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { readSetting, useSetting } from '../../storage/settings.ts';
import { editorFontStack } from '../../theme/editorFonts.ts';
import styles from './CodeEditor.module.css';
import type { CodeEditorProps } from './codeEditorProps.ts';
import { colourFirstLines, tokenizeUpTo } from './colourFirstLines.ts';
import { foldTexts, foldTextsAtFirst } from './foldTexts.ts';
import type { MonacoModule } from './loadMonaco.ts';
import { toMarkers } from './markers.ts';
import { replaceText } from './replaceText.ts';
import { readTheme } from './themes.ts';
import { tintExpressions } from './tintExpressions.ts';

const options: editor.IStandaloneEditorConstructionOptions = {
  // Enter ends the line when the word under the cursor is complete already.
  acceptSuggestionOnEnter: 'smart',
  automaticLayout: true,
  fixedOverflowWidgets: true,
  fontLigatures: false,
  lineNumbersMinChars: 4,
  minimap: { enabled: false },
  hideCursorInOverviewRuler: true,
  overviewRulerBorder: false,
  padding: { top: 10, bottom: 10 },
  quickSuggestions: { other: true, strings: true, comments: false },
  // Dimmed, the number of the last line could not be read.
  renderFinalNewline: 'on',
  renderLineHighlight: 'all',
  scrollBeyondLastLine: false,
  // As slim as the other scroll bars of the product.
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
  smoothScrolling: false,
  // A list that opened by itself, as after a colon, takes Enter only once something is typed to choose by.
  suggest: { selectionMode: 'whenQuickSuggestion' },
  tabSize: 2,
  // The schema knows what fits; words that happen to stand in the text do not.
  wordBasedSuggestions: 'off',
  wordWrap: 'on',
};

let models = 0;

/** Holds one editor for as long as it is on the page: what the props say is carried over, never rebuilt. */
export function MonacoHost(props: CodeEditorProps & { module: MonacoModule }) {
  const { value, language, path, readOnly = false, markers, revealLine, ariaLabel, module } = props;
  const { monaco } = module;
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const [code, setCode] = useState<editor.IStandaloneCodeEditor>();
  const emitted = useRef<string[]>([]);
  const pageScheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const chosenScheme = useSetting('editorTheme');
  const scheme = chosenScheme === 'auto' ? pageScheme : chosenScheme;
  const fontSize = useSetting('editorFontSize');
  const fontFamily = editorFontStack(useSetting('editorFontFamily'));
  const look = useMemo(
    () => ({ fontSize, fontFamily, lineHeight: Math.round(fontSize * 1.6) }),
    [fontSize, fontFamily],
  );

  const emit = useEffectEvent((text: string) => {
    emitted.current = [...emitted.current.slice(-7), text];
    props.onChange?.(text);
  });
  const moveCursor = useEffectEvent((line: number, column: number) => props.onCursor?.(line, column));
  const save = useEffectEvent(() => props.onSave?.());
  const start = useEffectEvent(() => ({
    value,
    past: props.past ?? [],
    future: props.future ?? [],
    readOnly,
    ariaLabel,
    look,
    saveLabel: t('editor.save'),
    foldLabel: t('editor.foldTexts'),
  }));

  // Before the text: another theme has it coloured anew, a while later.
  useEffect(() => {
    monaco.editor.defineTheme(`millrace-${scheme}`, readTheme(scheme));
    monaco.editor.setTheme(`millrace-${scheme}`);
  }, [monaco, scheme]);

  useEffect(() => {
    const initial = start();
    models += 1;
    const uri = monaco.Uri.parse(`inmemory://model/${models}/${path ?? `text.${language}`}`);
    const texts = [...initial.past, initial.value, ...initial.future];
    const model = monaco.editor.createModel(texts[0] ?? '', language, uri);
    for (const text of texts.slice(1)) replaceText(model, text);
    for (const _ of initial.future) void model.undo();
    colourFirstLines(model);
    const created = monaco.editor.create(host.current!, {
      ...options,
      ...initial.look,
      model,
      readOnly: initial.readOnly,
      ariaLabel: initial.ariaLabel,
    });
    // Enter indents and brackets close by the tokens of the lines above, which Monaco leaves to an idle moment: while
    // someone types fast there is none.
    created.onKeyDown(() => tokenizeUpTo(model, created.getPosition()?.lineNumber ?? 1));
    created.addAction({
      id: 'millrace.foldTexts',
      label: initial.foldLabel,
      keybindings: [monaco.KeyCode.F10],
      run: () => foldTexts(created),
    });
    if (readSetting('autoFold')) foldTextsAtFirst(created);
    const untint = language === 'yaml' ? tintExpressions(created, styles.expression ?? '') : undefined;
    model.onDidChangeContent(() => withinFrame(() => emit(model.getValue())));
    created.onDidChangeCursorPosition(({ position }) =>
      withinFrame(() => moveCursor(position.lineNumber, position.column)),
    );
    created.addAction({
      id: 'millrace.save',
      label: initial.saveLabel,
      keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS],
      contextMenuGroupId: '9_cutcopypaste',
      run: () => save(),
    });
    // Widths measured before the web font arrived put the cursor beside the letters.
    void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
    if (language === 'yaml') void module.beginYaml();
    setCode(created);
    return () => {
      untint?.();
      created.dispose();
      model.dispose();
      setCode(undefined);
    };
  }, [module, monaco, language, path]);

  useEffect(() => {
    code?.updateOptions(look);
  }, [code, look]);

  useEffect(() => {
    const model = code?.getModel();
    if (!model || model.getValue() === value) return;
    // A value that left here a few keys ago is an echo on its way back; applying it would undo typing.
    if (emitted.current.includes(value)) return;
    emitted.current = [];
    replaceText(model, value);
  }, [code, value]);

  useEffect(() => {
    code?.updateOptions({ readOnly, ariaLabel });
  }, [code, readOnly, ariaLabel]);

  useEffect(() => {
    const model = code?.getModel();
    if (model) monaco.editor.setModelMarkers(model, 'millrace', toMarkers(markers ?? []));
  }, [monaco, code, markers]);

  useEffect(() => {
    if (!code || revealLine === undefined) return;
    const line = Math.min(revealLine, code.getModel()?.getLineCount() ?? 1);
    code.revealLineInCenterIfOutsideViewport(line);
    code.setPosition({
      lineNumber: line,
      column: code.getModel()?.getLineFirstNonWhitespaceColumn(line) || 1,
    });
    code.focus();
  }, [code, revealLine]);

  return <div className={styles.host} ref={host} />;
}

/**
 * Has what is told drawn with the key that it comes from. React knows the events of a keyboard, but not the one that Monaco
 * gets its text by, and leaves what it does not know for a task of its own, which a browser keeps back until after the
 * frame. Never in the middle of a drawing: that of a new text is told of, too.
 */
const withinFrame = (tell: () => void): void => queueMicrotask(() => flushSync(tell));
