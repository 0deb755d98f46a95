import type { Issue } from '@millrace/contract';
import type { editor } from 'monaco-editor/editor';

/** As Monaco numbers severities: hint 1, info 2, warning 4, error 8. */
const severities: Record<Issue['severity'], number> = { error: 8, warning: 4, info: 2, deprecation: 1 };

/** An issue without a place underlines the first line, so that it is never lost. */
export function toMarkers(issues: readonly Issue[]): editor.IMarkerData[] {
  return issues.map(({ severity, message, range, path }) => {
    const start = range?.start ?? { line: 1, column: 1 };
    const end = range?.end ?? { line: 1, column: Number.MAX_SAFE_INTEGER };
    // A range of no length would be invisible.
    const isEmpty = start.line === end.line && start.column >= end.column;
    return {
      severity: severities[severity],
      message: range || path === '' ? message : `${path}: ${message}`,
      startLineNumber: start.line,
      startColumn: start.column,
      endLineNumber: end.line,
      endColumn: isEmpty ? start.column + 1 : end.column,
      ...(severity === 'deprecation' && { tags: [2] }),
    };
  });
}

const EXPRESSION = '\\{\\{[^\\n]*?\\}\\}';
const MOST = 2000;

/**
 * Tints `{{ … }}` so that what is computed stands out from what is written. Returns how to stop. A key costs the lines
 * that it changes: no expression is longer than its line.
 */
export function tintExpressions(code: editor.ICodeEditor, className: string): () => void {
  const model = code.getModel();
  if (!model) return () => {};
  const options = { inlineClassName: className };
  const isTint = (decoration: editor.IModelDecoration) => decoration.options.inlineClassName === className;
  /** The lines that changed since the last frame. */
  let changed: { first: number; last: number } | undefined = { first: 1, last: model.getLineCount() };
  const paint = () => {
    if (!changed || model.isDisposed()) return;
    const last = Math.min(changed.last, model.getLineCount());
    const range = {
      startLineNumber: changed.first,
      startColumn: 1,
      endLineNumber: last,
      endColumn: model.getLineMaxColumn(last),
    };
    changed = undefined;
    const known = model.getDecorationsInRange(range).filter(isTint);
    const found = model.findMatches(EXPRESSION, range, true, false, null, false, MOST);
    model.deltaDecorations(
      known.map(({ id }) => id),
      found.map((match) => ({ range: match.range, options })),
    );
  };
  paint();
  let frame = 0;
  const listener = model.onDidChangeContent(({ changes }) => {
    for (const { range, text } of changes) {
      const added = text.split('\n').length - 1;
      const removed = range.endLineNumber - range.startLineNumber;
      const first = Math.min(changed?.first ?? range.startLineNumber, range.startLineNumber);
      // Lines below a change may have moved by then.
      const last = Math.max((changed?.last ?? 0) + added - removed, range.endLineNumber + added);
      changed = { first, last };
    }
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(paint);
  });
  return () => {
    cancelAnimationFrame(frame);
    listener.dispose();
    if (model.isDisposed()) return;
    model.deltaDecorations(
      model
        .getAllDecorations()
        .filter(isTint)
        .map(({ id }) => id),
      [],
    );
  };
}
