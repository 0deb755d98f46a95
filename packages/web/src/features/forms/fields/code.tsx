import { Textarea, TextInput } from '@mantine/core';
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

/** Any number of them; the field grows with what is in it. */
export const CodeArea = (props: CodeProps) => (
  <Textarea {...inputProps(props)} autosize minRows={1} maxRows={16} />
);
