import { Combobox, Textarea, TextInput } from '@mantine/core';
import styles from './fields.module.css';
import { useCompletions } from './useCompletions.ts';
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

/** Any number of them; the field grows with what is in it, and knows how an expression may go on. */
export function CodeArea(props: CodeProps) {
  const { field, found, combobox, look, close, choose } = useCompletions(props.text, props.onText);
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
      <Combobox.EventsTarget withAriaAttributes={false}>
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
          onBlur={close}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || found.length === 0) return;
            // Only the list is shut, not what the form is in.
            event.stopPropagation();
            close();
          }}
        />
      </Combobox.EventsTarget>
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
