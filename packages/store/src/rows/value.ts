/** What a column can hold; the two drivers agree on these. */
export type SqlValue = string | number | null;

/** A result row, by column name. */
export type Row = Readonly<Record<string, SqlValue>>;
