import { Button, Textarea, type TextareaProps } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './inputs.module.css';

interface CodeFieldProps extends Omit<TextareaProps, 'value' | 'onChange'> {
  language: 'JSON' | 'YAML' | 'ARRAY';
  text: string;
  onText: (text: string) => void;
}

/** JSON or YAML: a new line keeps its indentation, and JSON can be formatted. */
export function CodeField({ language, text, onText, ...rest }: CodeFieldProps) {
  const { t } = useTranslation();
  const formatted = language === 'YAML' ? undefined : formatJson(text);
  return (
    <div>
      <Textarea
        {...rest}
        autosize
        minRows={3}
        maxRows={18}
        spellCheck={false}
        classNames={{ input: styles.code ?? '' }}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={keepIndentation}
      />
      {formatted !== undefined && formatted !== text && (
        <Button variant="subtle" size="compact-xs" mt={4} onClick={() => onText(formatted)}>
          {t('execute.format')}
        </Button>
      )}
    </div>
  );
}

/** The same value on several lines; undefined while the text is no JSON. */
export function formatJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return undefined;
  }
}

function keepIndentation(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { value, selectionStart } = event.currentTarget;
  const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart);
  const deeper = /[{[:]\s*$/.test(line) ? '  ' : '';
  const insert = `\n${/^\s*/.exec(line)?.[0] ?? ''}${deeper}`;
  if (insert === '\n') return;
  event.preventDefault();
  // The only way to insert a text that the browser's undo knows.
  document.execCommand('insertText', false, insert);
}
