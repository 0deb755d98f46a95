/**
 * What `node` is given when it runs the server; it takes these on its command line only, so `scripts/millrace`, the
 * first line of `start.mjs` and the container image say the same.
 *
 * Most of what a request or a step allocates is garbage a moment later. With half again as much room for the young, fewer
 * of those are still alive when it is cleared, which is a tenth of the main thread under load. Twice the room would
 * bring little more and take memory.
 */
export const nodeFlags = ['--max-semi-space-size=24'];
