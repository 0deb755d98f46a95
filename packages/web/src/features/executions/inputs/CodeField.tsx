import { Button, Textarea, type TextareaProps } from '@mantine/core';
import { type KeyboardEvent, type UIEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { Token } from '../../../ui/markdown/highlight.ts';
import styles from './inputs.module.css';

interface CodeFieldProps extends Omit<TextareaProps, 'value' | 'onChange'> {
  language: 'JSON' | 'YAML' | 'ARRAY';
  text: string;
  onText: (text: string) => void;
}

/** JSON or YAML in color: a new line keeps its indentation, JSON can be formatted, and mistakes have a line. */
export function CodeField({ language, text, onText, error, onBlur, ...rest }: CodeFieldProps) {
  const { t } = useTranslation();
  const [isTouched, setTouched] = useState(false);
  const tokens = useTokens(text, language === 'YAML' ? 'yaml' : 'json');
  const colors = useRef<HTMLPreElement>(null);
  const formatted = language === 'YAML' ? undefined : formatJson(text);
  const mistake = language === 'YAML' || text.trim() === '' ? undefined : mistakeIn(text);
  const isNoList = language === 'ARRAY' && formatted !== undefined && !formatted.startsWith('[');
  const own = mistake ? t('execute.badJson', mistake) : isNoList ? t('execute.notList') : undefined;
  const follow = ({ currentTarget }: UIEvent<HTMLTextAreaElement>) => {
    if (!colors.current) return;
    colors.current.scrollTop = currentTarget.scrollTop;
    colors.current.scrollLeft = currentTarget.scrollLeft;
  };
  return (
    <div>
      <Textarea
        {...rest}
        // A text of which the line of the mistake is known needs no other explanation.
        error={((isTouched || error) && own) || error}
        autosize
        minRows={3}
        maxRows={18}
        spellCheck={false}
        classNames={{ input: styles.code ?? '' }}
        inputContainer={(field) => (
          <div className={styles.colored}>
            {field}
            <pre ref={colors} className={styles.colors} aria-hidden="true">
              {tokens ? <Lines lines={tokens} /> : text}
              {'\n'}
            </pre>
          </div>
        )}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onScroll={follow}
        onKeyDown={keepIndentation}
        onBlur={(event) => {
          setTouched(true);
          onBlur?.(event);
        }}
      />
      {formatted !== undefined && formatted !== text && (
        <Button variant="subtle" size="compact-xs" mt={4} onClick={() => onText(formatted)}>
          {t('execute.format')}
        </Button>
      )}
    </div>
  );
}

function Lines({ lines }: { lines: readonly (readonly Token[])[] }) {
  return lines.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines and their tokens never move.
    <span key={row}>
      {line.map(({ content, style }, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <span key={column} style={style}>
          {content}
        </span>
      ))}
      {row < lines.length - 1 && '\n'}
    </span>
  ));
}

/** The colored text; undefined until the colors of exactly this text are known. */
function useTokens(text: string, language: 'json' | 'yaml'): readonly (readonly Token[])[] | undefined {
  const [known, setKnown] = useState<{ text: string; lines: readonly (readonly Token[])[] }>();
  useEffect(() => {
    let isOld = false;
    void import('../../../ui/markdown/highlight.ts')
      .then(({ highlight }) => highlight(text, language))
      .then(
        (lines) => {
          if (!isOld) setKnown({ text, lines });
        },
        () => {}, // The text stays without colors.
      );
    return () => {
      isOld = true;
    };
  }, [text, language]);
  return known?.text === text ? known.lines : undefined;
}

/** The same value on several lines; undefined while the text is no JSON. */
export function formatJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return undefined;
  }
}

/** The place of the first mistake; undefined for valid JSON. */
export function mistakeIn(text: string): { readonly line: number; readonly column: number } | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message : '';
    const [, line, column] = /line (\d+) column (\d+)/.exec(said) ?? [];
    if (line !== undefined && column !== undefined) return { line: Number(line), column: Number(column) };
    const at = Number(/position (\d+)/.exec(said)?.[1] ?? text.length);
    const before = text.slice(0, at).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
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
