import { useComputedColorScheme } from '@mantine/core';
import type { editor } from 'monaco-editor/editor';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { readSetting, useSetting } from '../../storage/settings.ts';
import { editorFontStack } from '../../theme/editorFonts.ts';
import styles from './CodeEditor.module.css';
import type { CodeEditorProps, LineNote } from './codeEditorProps.ts';
import { fitCompletionsToText } from './completionList.ts';
import { continuedModel, continueTyping, leaveTyping, noteText } from './continueTyping.ts';
import type { MonacoModule } from './loadMonaco.ts';
import { tintExpressions, toMarkers } from './markers.ts';
import { keepQuotesOfTexts } from './quotesInTexts.ts';
import { type Reports, replaceText, reportChanges } from './reportChanges.ts';
import { readTheme } from './themes.ts';

const options: editor.IStandaloneEditorConstructionOptions = {
  // Enter ends the line when the word under the cursor is complete already.
  acceptSuggestionOnEnter: 'smart',
  automaticLayout: true,
  // Looking for colors in the whole text at each pause is wasted: flows and scripts have none.
  colorDecorators: false,
  defaultColorDecorators: 'never',
  fixedOverflowWidgets: true,
  fontLigatures: false,
  lineNumbersMinChars: 4,
  minimap: { enabled: false },
  hideCursorInOverviewRuler: true,
  overviewRulerBorder: false,
  padding: { top: 10, bottom: 10 },
  // With this on, Monaco pastes a moment later, and the next key cancels it: the pasted text is lost ("Canceled").
  pasteAs: { enabled: false },
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

/** The list of completions reads the whole text: for a long one it waits for a pause between two keys. */
const LONG_CHARACTERS = 20_000;
const LONG_DELAY_MS = 120;

let models = 0;

/** Holds one editor for as long as it is on the page: what the props say is carried over, never rebuilt. */
export function MonacoHost(props: CodeEditorProps & { module: MonacoModule }) {
  const { value, language, path, readOnly = false, markers, revealLine, ariaLabel, module } = props;
  const { monaco } = module;
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const [code, setCode] = useState<editor.IStandaloneCodeEditor>();
  const emitted = useRef<string[]>([]);
  /** The value that the model was given last. */
  const given = useRef<string>(undefined);
  const reports = useRef<Reports>(undefined);
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
    noteText(path, text);
    props.onChange?.(text);
  });
  const moveCursor = useEffectEvent((line: number, column: number) => props.onCursor?.(line, column));
  const save = useEffectEvent(() => props.onSave?.());
  const act = useEffectEvent((id: string) => props.onAction?.(id));
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

  // Set before the text: a change of theme would color the text again.
  useLayoutEffect(() => {
    monaco.editor.defineTheme(`millrace-${scheme}`, readTheme(scheme));
    monaco.editor.setTheme(`millrace-${scheme}`);
  }, [monaco, scheme]);

  // A layout effect: between a page that leaves and the page that replaces it there is no moment without an editor.
  useLayoutEffect(() => {
    const initial = start();
    const model = continuedModel(initial.value) ?? createModel(monaco, initial, { language, path });
    const created = monaco.editor.create(host.current!, {
      ...options,
      ...initial.look,
      ...(initial.value.length > LONG_CHARACTERS && { quickSuggestionsDelay: LONG_DELAY_MS }),
      model,
      readOnly: initial.readOnly,
      ariaLabel: initial.ariaLabel,
    });
    // Enter indents and brackets close by the tokens of the lines above, which Monaco leaves to an idle moment: while
    // someone types fast there is none.
    created.onKeyDown(() => tokenizeUpTo(model, created.getPosition()?.lineNumber ?? 1));
    fitCompletionsToText(created);
    if (language === 'yaml') keepQuotesOfTexts(created);
    created.addAction({
      id: 'millrace.foldTexts',
      label: initial.foldLabel,
      keybindings: [monaco.KeyCode.F10],
      run: () => foldTexts(created),
    });
    if (readSetting('autoFold')) foldTextsAtFirst(created);
    const untint = language === 'yaml' ? tintExpressions(created, styles.expression ?? '') : undefined;
    const reporting = reportChanges(created, model, { onText: emit, onCursor: moveCursor });
    reports.current = reporting;
    created.addAction({
      id: 'millrace.save',
      label: initial.saveLabel,
      keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS],
      contextMenuGroupId: '9_cutcopypaste',
      run: () => {
        reporting.flush();
        save();
      },
    });
    // Widths measured before the web font arrived put the cursor beside the letters.
    void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
    if (language === 'yaml') void module.preloadYaml();
    continueTyping(created);
    // Other effects of this rendering must keep a character that the user types before they run.
    given.current = initial.value;
    // Typed after the page that opens had read the text.
    if (model.getValue() !== initial.value) emit(model.getValue());
    setCode(created);
    return () => {
      untint?.();
      reporting.dispose();
      const isContinued = leaveTyping(created, path);
      created.dispose();
      if (!isContinued) model.dispose();
      setCode(undefined);
    };
  }, [module, monaco, language, path]);

  const { actions } = props;
  useEffect(() => {
    if (!code || !actions) return;
    const added = actions.map(({ id, label, key }, index) =>
      code.addAction({
        id: `millrace.${id}`,
        label,
        keybindings: [
          monaco.KeyMod.CtrlCmd |
            (key === 'mod+shift+Enter' ? monaco.KeyMod.Shift : 0) |
            monaco.KeyCode.Enter,
        ],
        contextMenuGroupId: '1_millrace',
        contextMenuOrder: index,
        run: () => {
          reports.current?.flush();
          act(id);
        },
      }),
    );
    return () => {
      for (const action of added) action.dispose();
    };
  }, [code, monaco, actions]);

  useEffect(() => {
    code?.updateOptions(look);
  }, [code, look]);

  useEffect(() => {
    const model = code?.getModel();
    if (!model || given.current === value) return;
    given.current = value;
    if (model.getValue() === value) return;
    // A value that left here a few keys ago is an echo on its way back; applying it would undo typing.
    if (emitted.current.includes(value)) return;
    emitted.current = [];
    replaceText(model, value, reports.current?.reported());
    reports.current?.take(value);
  }, [code, value]);

  useEffect(() => {
    code?.updateOptions({ readOnly, ariaLabel });
  }, [code, readOnly, ariaLabel]);

  useEffect(() => {
    const model = code?.getModel();
    if (model) monaco.editor.setModelMarkers(model, 'millrace', toMarkers(markers ?? []));
  }, [monaco, code, markers]);

  const { notes } = props;
  useEffect(() => {
    if (!code || !notes || notes.length === 0) return;
    const shown = code.createDecorationsCollection(toNotes(notes, code.getModel()));
    return () => shown.clear();
  }, [code, notes]);

  useEffect(() => {
    if (!code || revealLine === undefined) return;
    const line = Math.min(revealLine, code.getModel()?.getLineCount() ?? 1);
    code.revealLineInCenterIfOutsideViewport(line);
    code.setPosition({
      lineNumber: line,
      column: code.getModel()?.getLineFirstNonWhitespaceColumn(line) || 1,
    });
    // A part beside the editor that is worked in with keys keeps the focus.
    if (!document.activeElement?.closest('[data-keeps-focus]')) code.focus();
  }, [code, revealLine]);

  return <div className={styles.host} ref={host} />;
}

interface FirstTexts {
  readonly past: readonly string[];
  readonly value: string;
  readonly future: readonly string[];
}

/** A text with its history, so that undo and redo work from the first key on. */
function createModel(
  monaco: MonacoModule['monaco'],
  { past, value, future }: FirstTexts,
  { language, path }: { readonly language: string; readonly path: string | undefined },
): editor.ITextModel {
  models += 1;
  const uri = monaco.Uri.parse(`inmemory://model/${models}/${path ?? `text.${language}`}`);
  const texts = [...past, value, ...future];
  const model = monaco.editor.createModel(texts[0] ?? '', language, uri);
  for (const text of texts.slice(1)) replaceText(model, text);
  for (const _ of future) void model.undo();
  colourFirstLines(model);
  return model;
}

/** More than a screen is high. */
const FIRST_LINES = 100;

/** What Monaco's own parts know of a text beyond what is written down for others. */
interface TokenizedModel extends editor.ITextModel {
  readonly tokenization?: { forceTokenization?(line: number): void };
}

/**
 * Has what comes into sight first in its colours from the first picture on. By itself Monaco waits for a moment of rest
 * with them, which a page that has just opened does not have.
 */
function colourFirstLines(model: editor.ITextModel): void {
  tokenizeUpTo(model, Math.min(FIRST_LINES, model.getLineCount()));
}

/** Tokenizes what is not yet tokenized up to a line, without waiting for an idle moment. */
function tokenizeUpTo(model: editor.ITextModel, line: number): void {
  (model as TokenizedModel).tokenization?.forceTokenization?.(line);
}

/** Texts over several lines begin behind a `|` or `>` at the end of a line. */
const opensText = /(^|\s)[|>][+-]?\d?\s*$/;

/** Folds every text over several lines, so that the shape of a flow can be seen; doing it again changes nothing. */
function foldTexts(code: editor.IStandaloneCodeEditor): void {
  const lines = code.getModel()?.getLinesContent() ?? [];
  const selectionLines = lines.flatMap((line, index) => (opensText.test(line) ? [index] : []));
  if (selectionLines.length > 0) code.trigger('millrace', 'editor.fold', { selectionLines, levels: 1 });
}

/** A new text is folded once the editor has found out what can be, a moment after it is there. */
function foldTextsAtFirst(code: editor.IStandaloneCodeEditor): void {
  const model = code.getModel();
  if (!model) return;
  // What can be folded is marked in the text.
  const marking = model.onDidChangeDecorations(() => foldTexts(code));
  const stop = () => marking.dispose();
  // From the first key or click on, what is folded is the reader's business.
  code.onKeyDown(stop);
  code.onMouseDown(stop);
  setTimeout(stop, giveUpMs);
}

const giveUpMs = 10_000;

/** Notes behind the last character of their lines; a line that is gone has none. */
function toNotes(
  notes: readonly LineNote[],
  model: editor.ITextModel | null,
): editor.IModelDeltaDecoration[] {
  return notes.flatMap(({ line, text, tone }) => {
    if (!model || line > model.getLineCount()) return [];
    const column = model.getLineMaxColumn(line);
    return [
      {
        range: { startLineNumber: line, startColumn: column, endLineNumber: line, endColumn: column },
        options: {
          showIfCollapsed: true,
          after: {
            content: `  → ${text}`,
            inlineClassName: `${styles.note} ${styles[tone]}`,
            cursorStops: noCursorStops,
          },
        },
      },
    ];
  });
}

/** As Monaco numbers them: the cursor stops on no side of a note. */
const noCursorStops = 3;
