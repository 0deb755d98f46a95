import type { Masker } from '@millrace/plugin-kit';

/** Longer lines are logged in pieces of this many characters. */
export const maxPieceLength = 16 * 1024;
/** A line of the output protocol stays whole up to this length. */
const maxProtocolLength = 8 * 1024 * 1024;

export interface Line {
  readonly text: string;
  /** False for a piece of a line that is longer than a piece may be. */
  readonly isWhole: boolean;
}

/**
 * Splits a stream of arbitrary bytes into lines: invalid UTF-8 becomes replacement characters, and an endless
 * line is cut into pieces. Memory is bounded by one piece or one protocol line.
 *
 * The splitter holds back as many characters as the longest secret has, so that no cut splits a secret.
 * Masking does not change the length of a text, which makes it safe to mask before cutting.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #masker: Pick<Masker, 'mask' | 'longest'>;
  #pending = '';
  #isCut = false;

  constructor(masker: Pick<Masker, 'mask' | 'longest'>) {
    this.#masker = masker;
  }

  push(chunk: Uint8Array): Line[] {
    return this.#cut(this.#decoder.decode(chunk, { stream: true }));
  }

  /** The stream has ended; a last line without a line feed counts. */
  end(): Line[] {
    const lines = this.#cut(this.#decoder.decode());
    if (this.#pending !== '') lines.push(...this.#finishLine(this.#pending));
    this.#pending = '';
    return lines;
  }

  #cut(text: string): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      const line = this.#pending + text.slice(from, at);
      this.#pending = '';
      lines.push(...this.#finishLine(line));
      from = at + 1;
    }
    this.#pending += text.slice(from);
    lines.push(...this.#cutPending());
    return lines;
  }

  #finishLine(line: string): Line[] {
    const text = clean(line.endsWith('\r') ? line.slice(0, -1) : line);
    const wasCut = this.#isCut;
    this.#isCut = false;
    if (!wasCut && (text.length <= maxPieceLength || isProtocol(text))) return [{ text, isWhole: true }];
    const masked = this.#masker.mask(text);
    return toPieces(masked);
  }

  #cutPending(): Line[] {
    const keep = this.#masker.longest;
    const limit = isProtocol(this.#pending) && !this.#isCut ? maxProtocolLength : maxPieceLength + keep;
    if (this.#pending.length <= limit) return [];
    this.#isCut = true;
    const masked = this.#masker.mask(this.#pending);
    const ready = Math.floor((masked.length - keep) / maxPieceLength) * maxPieceLength;
    this.#pending = masked.slice(ready);
    return toPieces(clean(masked.slice(0, ready)));
  }
}

const isProtocol = (text: string): boolean => text.startsWith('::{');

/** Databases reject NUL in text. */
const clean = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text);

function toPieces(text: string): Line[] {
  const pieces: Line[] = [];
  for (let at = 0; at < text.length; at += maxPieceLength) {
    pieces.push({ text: text.slice(at, at + maxPieceLength), isWhole: false });
  }
  return pieces;
}
