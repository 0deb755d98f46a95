import { memo, type ReactNode } from 'react';
import { readAnsi } from './ansi.ts';
import styles from './LogView.module.css';

/** A message with its colours, and the text searched for marked. Everything is text: nothing in a log is markup. */
export const AnsiText = memo(function AnsiText({ message, search }: { message: string; search: string }) {
  return readAnsi(message).map((chunk, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one message never move.
    <span key={index} style={chunk.style}>
      {markHits(chunk.text, search)}
    </span>
  ));
});

export function markHits(text: string, search: string): ReactNode {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return text;
  const lower = text.toLowerCase();
  const parts: ReactNode[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at));
    from = at + wanted.length;
    parts.push(
      <mark key={at} className={styles.mark}>
        {text.slice(at, from)}
      </mark>,
    );
  }
  return parts.length > 0 ? [...parts, text.slice(from)] : text;
}
