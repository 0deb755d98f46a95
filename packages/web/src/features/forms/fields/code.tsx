import { Combobox, Textarea, TextInput, useCombobox } from '@mantine/core';
import type { Completion } from '@millrace/engine/language';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useForm } from '../FormHost.ts';
import styles from './fields.module.css';
import type { WidgetProps } from './widgetProps.ts';

type CodeProps = Pick<WidgetProps, 'control' | 'error' | 'isReadOnly'> & {
  readonly text: string;
  readonly placeholder?: string;
  readonly width?: number;
  onText(text: string): void;
};

const inputProps = ({ control, error, isReadOnly, text, placeholder = '', width, onText }: CodeProps) => ({
  ...control,
  classNames: { input: styles.code ?? '' },
  ...(width !== undefined && { w: width }),
  spellCheck: false,
  placeholder,
  error,
  readOnly: isReadOnly,
  value: text,
  onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onText(currentTarget.value),
});

/** One line of text that a machine will read. */
export const CodeInput = (props: CodeProps) => <TextInput {...inputProps(props)} />;

/** Any number of them; the field grows with what is in it, and completes expressions. */
export function CodeArea(props: CodeProps) {
  const { field, found, combobox, prepare, look, close, choose } = useCompletions(props.text, props.onText);
  const given = inputProps(props);
  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      onOptionSubmit={(label) => {
        const chosen = found.find((one) => one.label === label);
        if (chosen) choose(chosen);
      }}
    >
      {/* A field of text may not say that it is expanded. */}
      <Combobox.Target withAriaAttributes={false}>
        <Textarea
          {...given}
          ref={field}
          autosize
          minRows={1}
          maxRows={16}
          aria-autocomplete="list"
          onChange={(event) => {
            given.onChange(event);
            look();
          }}
          onFocus={prepare}
          onBlur={close}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || found.length === 0) return;
            // Only the list is shut, not what the form is in.
            event.stopPropagation();
            close();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={found.length === 0}>
        <Combobox.Options mah={220} className={styles.completions ?? ''}>
          {found.map(({ label }) => (
            <Combobox.Option key={label} value={label} className={styles.code ?? ''}>
              {label}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** What may follow in an expression that is being written in a field, and the way to take it over. */
function useCompletions(text: string, onText: (text: string) => void) {
  const { complete, prepareCompletion } = useForm();
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
    prepare: prepareCompletion,
    /** After every change, with the cursor where it is then. */
    look: () => {
      const { value, selectionStart, selectionEnd } = field.current ?? {};
      const isHere = value !== undefined && selectionStart !== undefined && selectionStart === selectionEnd;
      if (!isHere) return setFound([]);
      complete(value.slice(0, selectionStart)).then(
        (completions) => {
          // The answer may be late: another key or another field came first.
          if (field.current?.value === value && field.current === document.activeElement)
            setFound(completions);
        },
        () => setFound([]),
      );
    },
    close: () => setFound([]),
    choose: ({ insert, from }: Completion) => {
      const end = field.current?.selectionStart ?? text.length;
      // `$0` is where the cursor goes.
      const mark = insert.indexOf('$0');
      caret.current = from + (mark < 0 ? insert.length : mark);
      setFound([]);
      onText(text.slice(0, from) + insert.replace('$0', '') + text.slice(end));
    },
  };
}
