import { useCombobox } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Completion, completeExpression } from '../../expressions/index.ts';
import { useForm } from '../FormHost.ts';

/** What may follow in an expression that is being written in a field, and the way to take it over. */
export function useCompletions(text: string, onText: (text: string) => void) {
  const { data } = useForm();
  const field = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number>(undefined);
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

  return {
    field,
    found,
    combobox,
    /** After every change, with the cursor where it is then. */
    look: () => {
      const { value, selectionStart, selectionEnd } = field.current ?? {};
      const isHere = value !== undefined && selectionStart !== undefined && selectionStart === selectionEnd;
      setFound(isHere ? completeExpression(value.slice(0, selectionStart), data) : []);
    },
    close: () => setFound([]),
    choose: ({ insert, from }: Completion) => {
      const end = field.current?.selectionStart ?? text.length;
      caret.current = from + insert.length;
      setFound([]);
      onText(text.slice(0, from) + insert + text.slice(end));
    },
  };
}
