/** Quotes any text as one shell word. */
export const shellQuote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
