/**
 * Names the rows of a list that is drawn in part. A row that stays in sight keeps its name. When all of them go at once,
 * as in a fast scroll, the new ones take over the names and with them the elements of the old: making as many anew costs
 * most of the frame rate.
 */
export class RowKeys {
  #first = 0;
  #last = -1;
  #shift = 0;

  /** Which part of the list is drawn now. */
  draw(first: number, last: number): void {
    const isElsewhere = first > this.#last || last < this.#first;
    if (isElsewhere) this.#shift += first - this.#first;
    this.#first = first;
    this.#last = last;
  }

  keyOf(index: number): number {
    return index - this.#shift;
  }
}
