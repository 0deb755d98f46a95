/**
 * The options of `node` when it runs the server. They work only on the command line, so `scripts/millrace`,
 * the first line of `start.mjs` and the container image repeat them.
 *
 * Most objects of a request or a step are short-lived. With a young generation half again as large, fewer of
 * them survive a collection, which saves a tenth of the main thread's time under load. Twice the size would
 * gain little and use more memory.
 */
export const nodeFlags = ['--max-semi-space-size=24'];
