// Runs expressions and patterns of users in a process that can be ended: they may never end, or fill the memory.
import jsonata from 'jsonata';

/** @typedef {{ value?: string | undefined, error?: string }} Answer */

/** @typedef {{ kind: 'jsonata', expression: string, maxDepth: number }} JsonataCode */
/** @typedef {{ kind: 'grok', sources: readonly string[], flags: string }} GrokCode */

/** @type {((text: string) => Promise<Answer> | Answer) | undefined} */
let evaluate;

process.on('message', async (/** @type {JsonataCode | GrokCode | readonly string[]} */ message) => {
  if ('kind' in message) {
    evaluate = message.kind === 'jsonata' ? createJsonata(message) : createGrok(message);
    return;
  }
  /** @type {Answer[]} */
  const answers = [];
  for (const text of message) answers.push((await evaluate?.(text)) ?? {});
  process.send?.(answers);
});
// The server is gone.
process.on('disconnect', () => process.exit());

/** @param {JsonataCode} code */
function createJsonata({ expression, maxDepth }) {
  let depth = 0;
  /** @type {import('jsonata').Expression | undefined} */
  let compiled;
  const compile = () => {
    const made = jsonata(expression);
    // The library calls these on its way in and out of each part of an expression.
    made.assign(/** @type {never} */ (Symbol.for('jsonata.__evaluate_entry')), () => {
      depth++;
      if (depth > maxDepth) throw new Error(`it nests deeper than "maxDepth" allows (${maxDepth})`);
    });
    made.assign(/** @type {never} */ (Symbol.for('jsonata.__evaluate_exit')), () => {
      depth--;
    });
    return made;
  };
  return async (/** @type {string} */ text) => {
    try {
      compiled ??= compile();
      depth = 0;
      return { value: JSON.stringify(await compiled.evaluate(JSON.parse(text))) };
    } catch (error) {
      return { error: messageOf(error) };
    }
  };
}

/** @param {GrokCode} code */
function createGrok({ sources, flags }) {
  const patterns = sources.map((source) => new RegExp(source, flags));
  return (/** @type {string} */ text) => {
    const found = patterns.map((pattern) => pattern.exec(text)?.groups ?? null);
    return { value: JSON.stringify(found) };
  };
}

/** @param {unknown} error */
function messageOf(error) {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}
