/**
 * Prints one sentence that says what is wrong, and exits.
 * @param {string} sentence
 * @param {number} [code]
 * @returns {never}
 */
export function fail(sentence, code = 1) {
  console.error(sentence);
  process.exit(code);
}
