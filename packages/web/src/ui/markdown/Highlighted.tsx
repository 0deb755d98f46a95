import { use } from 'react';
import styles from './CodeBlock.module.css';
import { highlight, languageOf, type Token } from './highlight.ts';

const done = new Map<string, Promise<Token[][]>>();

/** Code in the colours of both themes; the style sheet chooses between them. */
export function Highlighted({ code, language }: { code: string; language: string }) {
  const known = languageOf(language);
  if (!known)
    return (
      <pre className={styles.code}>
        <code>{code}</code>
      </pre>
    );
  return <Lines code={code} language={known} />;
}

function Lines({ code, language }: { code: string; language: NonNullable<ReturnType<typeof languageOf>> }) {
  const lines = use(remember(code, language));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, and the keyboard must reach that.
    <pre className={`${styles.code} ${styles.highlighted}`} tabIndex={0}>
      <code>
        {lines.map((line, row) => (
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
        ))}
      </code>
    </pre>
  );
}

/** `use` wants the same promise at each rendering. */
function remember(code: string, language: NonNullable<ReturnType<typeof languageOf>>) {
  const key = `${language}\n${code}`;
  const known = done.get(key) ?? highlight(code, language);
  done.set(key, known);
  return known;
}
