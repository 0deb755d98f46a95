import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../state/problems.ts';

const confirmationMs = 2_000;

/** Copies text; `copied` is true for two seconds after. What cannot be copied is said. */
export function useCopy() {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (value: string) => {
    try {
      // Over plain HTTP a browser has no clipboard at all.
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch (error) {
      sayProblem(error, t('copyFailed'));
    }
  };
  return { copied, copy };
}
