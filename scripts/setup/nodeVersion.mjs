// Any installed Node version must parse this file, like the entries that import it: no syntax newer than
// 2017.

const floor = [20, 19, 0];

/** Exits with an error message when this Node is too old to run the product. */
export function refuseOldNode() {
  if (!isOldNode(process.versions.node)) return;
  console.error(`Millrace needs Node ${floor.join('.')} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}

/** @param {string} version */
export function isOldNode(version) {
  const parts = version.split('.').map(Number);
  const different = floor.findIndex((part, index) => parts[index] !== part);
  return different >= 0 && Number(parts[different]) < Number(floor[different]);
}
