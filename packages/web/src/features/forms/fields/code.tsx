import { Combobox, Textarea, TextInput } from '@mantine/core';
import { useCompletions } from '../../language/index.ts';
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
  const { complete, prepareCompletion } = useForm();
  const { text, onText } = props;
  const { field, found, combobox, look, stay, close, choose } = useCompletions({ text, onText, complete });
  const given = inputProps(props);
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
          onFocus={prepareCompletion}
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
