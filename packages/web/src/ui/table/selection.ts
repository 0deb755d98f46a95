/** What an action on many rows is about: rows of this page, or everything that the filters find. */
export type Selection<Row> =
  | { readonly kind: 'rows'; readonly rows: readonly Row[]; readonly count: number }
  | { readonly kind: 'all'; readonly count: number };
