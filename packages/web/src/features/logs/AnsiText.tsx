import { memo } from 'react';
import { readAnsi } from './ansi.ts';
import styles from './LogView.module.css';
import { markHits } from './markHits.ts';

/** A message with its colours, and the text searched for marked. Everything is text: nothing in a log is markup. */
export const AnsiText = memo(function AnsiText({ message, search }: { message: string; search: string }) {
  // Most messages by far, and an element less for each row of a log.
  if (search === '' && !message.includes('\u001b')) return message;
  return markHits(readAnsi(message), search).map((chunk, index) => {
    const Tag = chunk.isHit ? 'mark' : 'span';
    return (
      <Tag
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one message never move.
        key={index}
        className={chunk.isHit ? styles.mark : undefined}
        style={chunk.isHit ? undefined : chunk.style}
      >
        {chunk.text}
      </Tag>
    );
  });
});
