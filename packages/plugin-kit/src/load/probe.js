/**
 * Loads one plugin in a separate process before the server does, to detect code that hangs, ends the process
 * or changes shared objects without harm to the server. Prints one line of JSON.
 *
 * The plugin kit in this process accepts every call and does nothing; the server validates the definitions
 * itself.
 */
import { watchIntrinsics } from './intrinsics.js';

const { stringify } = JSON;
const write = process.stdout.write.bind(process.stdout);
const end = process.exit.bind(process);
// Discards the plugin's own output: the server reads only the result.
process.stdout.write = () => true;
process.stderr.write = () => true;

/** @param {{ error?: string, changed?: readonly string[] }} found */
function answer(found) {
  write(`${stringify(found)}\n`, () => end(0));
}

/**
 * An iterable without items that returns itself for every other access.
 *
 * @type {unknown}
 */
const nothing = new Proxy(() => {}, {
  get: (_, key) => {
    if (key === Symbol.toPrimitive) return () => '';
    if (key === Symbol.iterator) return [][Symbol.iterator];
    return key === 'then' ? undefined : nothing;
  },
  apply: () => nothing,
  construct: () => /** @type {object} */ (nothing),
});

/** @param {string} entry */
async function probe(entry) {
  const intrinsics = watchIntrinsics();
  try {
    const module = await import(entry);
    try {
      if (typeof module.default === 'function') await module.default(nothing);
    } catch {
      // Errors are ignored here: the server reports them with its real kit.
    }
    answer({ changed: intrinsics.restore() });
  } catch (error) {
    intrinsics.restore();
    answer({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
}

void probe(process.argv[2] ?? '');
