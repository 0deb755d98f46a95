const requirement = /\b(?:S[12]|[AO])-\d+[a-z]?(?:\.\d+)+\b/g;

/**
 * The requirement ids in the string literals of a test file, each with its string. Strings are names of tests
 * or rows of their tables; comments do not count.
 * @param {string} source
 * @returns {{ id: string, name: string }[]}
 */
export function findRequirements(source) {
  return source.split('\n').flatMap((line) =>
    [...line.matchAll(requirement)].flatMap(({ 0: id, index }) => {
      const name = textAround(line, index);
      return name === undefined ? [] : [{ id, name }];
    }),
  );
}

/**
 * The quoted text of the line at the position; a template may end on a later line.
 * @param {string} line
 * @param {number} position
 */
function textAround(line, position) {
  for (let start = 0; start < position; start += 1) {
    const quote = line.charAt(start);
    if (line.startsWith('//', start) || line.startsWith('/*', start)) return undefined;
    if (quote !== "'" && quote !== '"' && quote !== '`') continue;
    const end = endOfText(line, start);
    if (end > position) return line.slice(start + 1, end);
    start = end;
  }
  return undefined;
}

/** @param {string} line @param {number} start position of the opening quote */
function endOfText(line, start) {
  for (let end = start + 1; end < line.length; end += 1) {
    if (line.charAt(end) === '\\') end += 1;
    else if (line.charAt(end) === line.charAt(start)) return end;
  }
  return line.length;
}
