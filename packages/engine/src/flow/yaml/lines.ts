export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Converts between offsets into a text and lines and columns from 1. */
export class Lines {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  positionOf(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  offsetOf({ line, column }: Position): number {
    const start = this.#starts[line - 1];
    if (start === undefined) return this.#length;
    return Math.min(start + column - 1, (this.#starts[line] ?? this.#length + 1) - 1);
  }
}
