/**
 * Loads one plugin in a process of its own before the server does: code that hangs, ends the process or changes the
 * objects everyone shares is found out here, where it can do no harm to the server. Answers one line of JSON.
 *
 * The kit that the plugin is given here takes every call and does nothing; whether the definitions are right is found
 * out by the server itself.
 */
import { watchIntrinsics } from './intrinsics.js';

const { stringify } = JSON;
const write = process.stdout.write.bind(process.stdout);
const end = process.exit.bind(process);
// What the plugin itself prints is not for the server's ears.
process.stdout.write = () => true;
process.stderr.write = () => true;

/** @param {{ error?: string, changed?: readonly string[] }} found */
function answer(found) {
  write(`${stringify(found)}\n`, () => end(0));
}

/**
 * Ends loops over it at once and answers everything else with itself.
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
      // The kit of the server is another one: it is the one that may complain.
    }
    answer({ changed: intrinsics.restore() });
  } catch (error) {
    intrinsics.restore();
    answer({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
}

void probe(process.argv[2] ?? '');
