/**
 * The normalized text that the full-text filter `q` compares. A text becomes its tokens (runs of letters and
 * digits, lower case), each with one space in front; a word matches where it is the beginning of a token:
 * `searchText('company.team', 'Hello')` is `' company team hello'`, which contains `searchWord('tea')`. A
 * word with punctuation inside (`company.te`) is a run of tokens of which the last may be cut short.
 */
const token = /[\p{L}\p{N}]+/gu;

export function searchText(...values: readonly (string | undefined)[]): string {
  let text = '';
  for (const value of values) {
    for (const found of value?.match(token) ?? []) text += ` ${found}`;
  }
  return text.toLowerCase();
}

/** The words of a query as typed. Words without a letter or digit are dropped. */
export const splitWords = (query: string): string[] =>
  query.split(/\s+/).filter((word) => searchText(word) !== '');

/** The words of a query in the form to look for in a `searchText`. */
export const searchWords = (query: string): string[] => splitWords(query).map((word) => searchText(word));
