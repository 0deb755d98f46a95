import { buildWhenNeeded } from './build.mjs';
import { installWhenNeeded } from './install.mjs';

/** Implements `npm run build`. */
export async function buildProduct() {
  await installWhenNeeded();
  await buildWhenNeeded();
}
