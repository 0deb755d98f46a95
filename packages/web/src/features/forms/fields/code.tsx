import { Combobox, Textarea, TextInput } from '@mantine/core';
import { readYaml } from '@millrace/engine';
import { useState } from 'react';
import { useCompletions } from '../../language/index.ts';
import { useForm, type WidgetProps } from '../FormHost.ts';
import { isSameData } from '../source/edit.ts';
import { print } from '../source/print.ts';
import styles from './fields.module.css';

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
  const { complete, prepareCompletion } = useForm();
  const { text, onText } = props;
  const { field, found, combobox, look, stay, close, choose } = useCompletions({ text, onText, complete });
  const given = inputProps(props);
  // A form has many fields, and an empty list takes longer to render than its field.
  const [hasList, setHasList] = useState(false);
  return (
    <Combobox store={combobox} position="bottom-start" onOptionSubmit={choose}>
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
          onSelect={stay}
          onFocus={() => {
            prepareCompletion();
            setHasList(true);
          }}
          onBlur={close}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || found.length === 0) return;
            // Only the list is shut, not what the form is in.
            event.stopPropagation();
            close();
          }}
        />
      </Combobox.Target>
      {hasList && (
        <Combobox.Dropdown hidden={found.length === 0}>
          <Combobox.Options mah={220} className={styles.completions ?? ''}>
            {found.map(({ label }) => (
              <Combobox.Option key={label} value={label} className={styles.code ?? ''}>
                {label}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      )}
    </Combobox>
  );
}

/**
 * Any value at all: a text that begins with an expression is that text, everything else is YAML. What cannot be read
 * stays in the field and changes nothing until it can.
 */
export function AnyWidget({ field, value, error, isReadOnly, onChange, control }: WidgetProps<'any'>) {
  const [draft, setDraft] = useState<string>();
  const read = draft === undefined ? undefined : readExpressionText(draft);
  const isCurrent = read && ('problem' in read || isSameData(read.value ?? '', value ?? ''));
  const problem = isCurrent && 'problem' in read ? read.problem : undefined;
  const fallback = field.schema.default;
  return (
    <CodeArea
      control={control}
      isReadOnly={isReadOnly}
      placeholder={fallback === undefined ? '' : showExpressionText(fallback)}
      error={problem ?? error}
      text={isCurrent ? (draft ?? '') : showExpressionText(value)}
      onText={(text) => {
        setDraft(text);
        const next = readExpressionText(text);
        if ('value' in next) onChange(next.value);
      }}
    />
  );
}

type ReadText = { readonly value: unknown } | { readonly problem: string };

/** A text that begins with a template expression is meant as that text; any other is YAML. */
export function readExpressionText(text: string): ReadText {
  if (text.trimStart().startsWith('{{')) return { value: text };
  if (text.trim() === '') return { value: undefined };
  const reading = readYaml(text);
  if ('problem' in reading) return { problem: reading.problem.message };
  const [duplicate] = reading.keyProblems;
  return duplicate ? { problem: duplicate.message } : { value: reading.data };
}

/** The same the other way round: what would be read as this very value. */
export function showExpressionText(value: unknown): string {
  if (value === undefined || value === '') return '';
  if (typeof value === 'string') {
    const read = readExpressionText(value);
    if ('value' in read && read.value === value) return value;
  }
  return print(value);
}
