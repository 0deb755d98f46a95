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
