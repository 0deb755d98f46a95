import type { CSSProperties } from 'react';
import type { Token } from '../../../ui/markdown/highlight.ts';
import styles from './FlowRevisions.module.css';
import { type DiffLine, diffWords, type LinePair, type Piece } from './lineDiff.ts';

interface DiffTextProps {
  readonly line: DiffLine;
  /** The line in the colors of its language, when they are known. */
  readonly tokens: readonly Token[] | undefined;
  /** The words that differ from the line on the other side. */
  readonly pieces: readonly Piece[] | undefined;
}

/** A line in its colors, with the words that changed marked. */
export function DiffText({ line, tokens, pieces }: DiffTextProps) {
  const parts = paint(line.text, tokens, pieces);
  return (
    <>
      <span className={styles.sign}>{{ same: ' ', removed: '−', added: '+' }[line.kind]}</span>
      <span className={styles.text}>
        {parts.length === 0 && ' '}
        {parts.map(({ text, style, isChanged }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never move.
          <span key={index} {...(style && { style })} className={isChanged ? styles.word : undefined}>
            {text}
          </span>
        ))}
      </span>
    </>
  );
}

interface Part {
  readonly text: string;
  readonly style: CSSProperties | undefined;
  readonly isChanged: boolean;
}

/** Cuts a line where its color changes and where a changed word begins or ends. */
export function paint(
  text: string,
  tokens: readonly Token[] | undefined,
  pieces: readonly Piece[] | undefined,
): Part[] {
  const parts: Part[] = [];
  let [at, token, piece] = [0, 0, 0];
  const styled = tokens ?? [{ content: text, style: undefined }];
  const marked = pieces ?? [{ text, isChanged: false }];
  let [tokenEnd, pieceEnd] = [styled[0]?.content.length ?? 0, marked[0]?.text.length ?? 0];
  while (at < text.length) {
    while (tokenEnd <= at && token < styled.length - 1) tokenEnd += styled[++token]?.content.length ?? 0;
    while (pieceEnd <= at && piece < marked.length - 1) pieceEnd += marked[++piece]?.text.length ?? 0;
    const next = Math.min(
      text.length,
      tokenEnd > at ? tokenEnd : text.length,
      pieceEnd > at ? pieceEnd : text.length,
    );
    parts.push({
      text: text.slice(at, next),
      style: styled[token]?.style,
      isChanged: marked[piece]?.isChanged ?? false,
    });
    at = next;
  }
  return parts;
}

export const lineKey = ({ kind, left, right }: DiffLine): string => `${kind}:${left ?? ''}:${right ?? ''}`;

/** The changed words of every line that has a counterpart on the other side. */
export function wordsOfPairs(pairs: readonly LinePair[]): ReadonlyMap<string, readonly Piece[]> {
  const found = new Map<string, readonly Piece[]>();
  for (const { left, right } of pairs) {
    if (left?.kind !== 'removed' || right?.kind !== 'added') continue;
    const words = diffWords(left.text, right.text);
    if (!words) continue;
    found.set(lineKey(left), words.left);
    found.set(lineKey(right), words.right);
  }
  return found;
}
