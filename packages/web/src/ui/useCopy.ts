import { useEffect, useState } from 'react';

const confirmationMs = 2_000;

/** Copies text; `copied` is true for two seconds after. */
export function useCopy() {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (value: string) => {
    void navigator.clipboard.writeText(value).then(() => setCopied(true));
  };
  return { copied, copy };
}
