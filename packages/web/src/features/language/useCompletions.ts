import { useCombobox } from '@mantine/core';
import type { Completion } from '@millrace/engine/language';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';

interface FieldOfText {
  readonly text: string;
  onText(text: string): void;
  /** The completions of an expression that ends at the cursor. */
  complete(before: string): Promise<readonly Completion[]>;
}

/**
 * The completions of an expression that is being written in a field of text, and the way to take one. They always fit
 * the text as typed: until the service has responded to the last key, only those of the list before that still fit.
 */
export function useCompletions({ text, onText, complete }: FieldOfText) {
  const field = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number>(undefined);
  /** The text up to the cursor that `found` is for. */
  const asked = useRef<string>(undefined);
  const [found, setFound] = useState<readonly Completion[]>([]);
  const combobox = useCombobox();
  const hasFound = found.length > 0;

  useEffect(() => {
    if (hasFound) combobox.openDropdown();
    else combobox.closeDropdown();
  }, [hasFound, combobox.openDropdown, combobox.closeDropdown]);
  useEffect(() => {
    if (found.length > 0) combobox.selectFirstOption();
  }, [found, combobox.selectFirstOption]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a text from outside puts the cursor behind its end.
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);

  const close = () => {
    asked.current = undefined;
    setFound([]);
  };
  /** The text up to the cursor; none while text is selected or the cursor is elsewhere. */
  const before = (): string | undefined => {
    const { value, selectionStart, selectionEnd } = field.current ?? {};
    const isHere = selectionStart === selectionEnd && field.current === document.activeElement;
    return isHere ? value?.slice(0, selectionStart) : undefined;
  };
  return {
    field,
    found,
    combobox,
    close,
    /** After every change, with the cursor where it is then. */
    look: () => {
      const now = before();
      const last = asked.current;
      if (now === undefined) return close();
      asked.current = now;
      setFound((old) => (last === undefined ? [] : old.filter((one) => stillFits(one, last, now))));
      complete(now).then(
        (completions) => asked.current === now && setFound(completions),
        () => asked.current === now && close(),
      );
    },
    /** After the cursor moved: completions of another place are no longer offered. */
    stay: () => {
      if (asked.current !== undefined && asked.current !== before()) close();
    },
    choose: (label: string) => {
      const now = before();
      const chosen = found.find((one) => one.label === label);
      if (!chosen || now === undefined || now !== asked.current) return close();
      const { insert, from } = chosen;
      // `$0` is where the cursor goes.
      const mark = insert.indexOf('$0');
      caret.current = from + (mark < 0 ? insert.length : mark);
      close();
      onText(text.slice(0, from) + insert.replace('$0', '') + text.slice(now.length));
    },
  };
}

/** Whether a completion of the text before one key still completes the text after it. */
function stillFits({ label, from }: Completion, last: string, now: string): boolean {
  if (now.slice(0, from) !== last.slice(0, from)) return false;
  // It may replace the dot or the bracket before the name as well.
  const word = now.slice(from).replace(/^(\.|\[["']?)/, '');
  return label !== word && label.toLowerCase().startsWith(word.toLowerCase());
}
