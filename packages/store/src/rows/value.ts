/** The values of a column that both drivers support. */
export type SqlValue = string | number | null;

/** A result row, by column name. */
export type Row = Readonly<Record<string, SqlValue>>;
