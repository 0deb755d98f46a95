import { buildWhenNeeded } from './build.mjs';
import { installWhenNeeded } from './install.mjs';

/** What `npm run build` does. */
export async function buildProduct() {
  await installWhenNeeded();
  await buildWhenNeeded();
}
