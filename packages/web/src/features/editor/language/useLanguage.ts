import type { Issue, plugins } from '@millrace/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { afterPaint } from '../../../ui/afterPaint.ts';
import { language } from '../../language/index.ts';
import { useExpressionIssues } from './useExpressionIssues.ts';
import { useLanguageContext } from './useLanguageContext.ts';

interface EditedFlow {
  readonly source: string;
  readonly namespace: string;
  readonly id: string;
  readonly types: readonly (plugins.TypeSchema | null)[];
}

/**
 * Gives the language service what it has to know about an edited flow. Returns the mistakes in its expressions,
 * and a function that reads the names which completion and hover need beside the text.
 */
export function useLanguage({ source, namespace, id, types }: EditedFlow): {
  readonly issues: readonly Issue[];
  use(): void;
} {
  const [isUsed, setUsed] = useState(false);
  const context = useLanguageContext({ namespace, id }, types, isUsed);
  const ready = useRef(Promise.resolve());
  useEffect(() => {
    if (context.types.length === 0) return;
    // The service is not needed before the text is on the screen.
    ready.current = afterPaint()
      .then(() => language.setContext(context))
      .catch(() => {});
  }, [context]);
  const issues = useExpressionIssues(source, context, ready);
  return { issues, use: useCallback(() => setUsed(true), []) };
}
