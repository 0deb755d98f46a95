/**
 * Watches the objects that all code of a process shares. Plain JavaScript, because the probe of a plugin runs without a
 * compiler in development, tests and production.
 */

/** @typedef {Map<PropertyKey, PropertyDescriptor>} Descriptors */

const { getOwnPropertyDescriptor, defineProperty, isExtensible } = Object;
const { ownKeys, deleteProperty } = Reflect;
const isSame = Object.is;

/** Captured when this module loads, so that a replaced `globalThis.Promise` is detected, not used. */
const constructors = [
  Object,
  Function,
  Array,
  String,
  Number,
  Boolean,
  BigInt,
  Symbol,
  Date,
  RegExp,
  Error,
  Promise,
  Map,
  Set,
  WeakMap,
  WeakSet,
  ArrayBuffer,
  Uint8Array,
  URL,
];
const namespaces = { JSON, Math, Reflect };

/** @type {[string, object][]} */
const watched = [
  ...constructors.flatMap(
    (one) =>
      /** @type {[string, object][]} */ ([
        [one.name, one],
        [`${one.name}.prototype`, one.prototype],
      ]),
  ),
  ...Object.entries(namespaces),
  ['%IteratorPrototype%', Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))],
  ['%AsyncFunction%.prototype', Object.getPrototypeOf(async () => {})],
];

/** Plugins may add globals, but must not replace existing ones, because all other code uses those. */
const globals = ownKeys(globalThis);

/**
 * @param {object} target
 * @param {readonly PropertyKey[]} keys
 * @returns {Descriptors}
 */
function describe(target, keys) {
  const found = new Map();
  for (const key of keys) {
    const descriptor = getOwnPropertyDescriptor(target, key);
    if (descriptor) found.set(key, descriptor);
  }
  return found;
}

/**
 * @param {PropertyDescriptor | undefined} now
 * @param {PropertyDescriptor} before
 */
const isChanged = (now, before) =>
  !now || !isSame(now.value, before.value) || now.get !== before.get || now.set !== before.set;

/**
 * Takes a snapshot of the shared objects. `restore` undoes all changes since and returns the changed names.
 *
 * @returns {{ restore(): string[] }}
 */
export function watchIntrinsics() {
  const before = watched.map(([, target]) => describe(target, ownKeys(target)));
  const globalsBefore = describe(globalThis, globals);
  return {
    restore() {
      /** @type {string[]} */
      const changed = [];
      for (const [index, [name, target]] of watched.entries()) {
        const known = before[index];
        if (!known) continue;
        for (const key of ownKeys(target)) {
          if (known.has(key) || !isExtensible(target)) continue;
          changed.push(`${name}.${String(key)}`);
          deleteProperty(target, key);
        }
        changed.push(...putBack(target, known).map((key) => `${name}.${key}`));
      }
      changed.push(...putBack(globalThis, globalsBefore));
      return changed;
    },
  };
}

/**
 * @param {object} target
 * @param {Descriptors} known
 */
function putBack(target, known) {
  /** @type {string[]} */
  const changed = [];
  for (const [key, descriptor] of known) {
    if (!isChanged(getOwnPropertyDescriptor(target, key), descriptor)) continue;
    changed.push(String(key));
    try {
      defineProperty(target, key, descriptor);
    } catch {
      // The property is no longer configurable, so it can only be reported.
    }
  }
  return changed;
}
