import type { Issue } from '@millrace/contract';
import type { LanguageContext } from '@millrace/engine/language';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { language } from '../../language/index.ts';

/** Shorter than a pause in typing, longer than the time between two keys. */
const PAUSE_MS = 150;

const none: readonly Issue[] = [];

/** Mistakes in the expressions of a text, once typing pauses; until then those of the text before. */
export function useExpressionIssues(
  source: string,
  context: LanguageContext,
  /** Resolves when the service has the context. */
  ready: RefObject<Promise<void>>,
): readonly Issue[] {
  const [found, setFound] = useState(none);
  const latest = useRef(source);
  useEffect(() => {
    latest.current = source;
    if (context.types.length === 0) return;
    const timer = setTimeout(() => {
      ready.current
        .then(() => language.check(source))
        .then(
          (issues) => {
            if (latest.current === source) setFound(issues);
          },
          () => {}, // The server checks the same, so a broken worker hides nothing.
        );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [source, context, ready]);
  return found;
}
