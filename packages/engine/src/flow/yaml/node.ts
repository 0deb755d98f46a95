/**
 * A YAML document as the flow language sees it: aliases and merge keys already followed, tags gone, offsets
 * into the text kept. Aliased nodes are shared, so the tree is a graph without cycles.
 */
export type Node = ScalarNode | MapNode | ListNode;

export type Scalar = string | number | boolean | null;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly value: Scalar;
  /** The content as written; for a map key its name, even when it looks like a number. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Entry {
  readonly key: ScalarNode;
  readonly value: Node;
}

export interface MapNode {
  readonly kind: 'map';
  readonly entries: Entry[];
  readonly start: number;
  end: number;
}

export interface ListNode {
  readonly kind: 'list';
  readonly items: Node[];
  readonly start: number;
  end: number;
}

/** A syntax error of the text. Reading stops at the first one. */
export class YamlProblem extends Error {
  readonly start: number;
  readonly end: number;

  constructor(message: string, start: number, end = start + 1) {
    super(message);
    this.start = start;
    this.end = end;
  }
}
