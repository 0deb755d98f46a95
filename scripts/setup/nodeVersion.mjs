// Any installed Node version must parse this file, like the entries that import it: no syntax newer than
// 2017.

/** The oldest release of each supported major version; `engines` in package.json says the same. */
const oldest = [
  [20, 19],
  [22, 13],
  [24, 0],
];

/** Exits with an error message when the product is not supported on this Node. */
export function refuseUnsupportedNode() {
  const { node } = process.versions;
  if (isSupportedNode(node)) return;
  console.error(`Millrace runs on Node 20 (from 20.19), 22 (from 22.13) and 24; this is Node ${node}.`);
  process.exit(1);
}

/** @param {string} version */
export function isSupportedNode(version) {
  const [major, minor] = version.split('.').map(Number);
  return oldest.some(([of, from]) => major === of && Number(minor) >= Number(from));
}
