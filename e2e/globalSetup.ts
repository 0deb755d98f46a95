import { buildWhenNeeded } from '../scripts/setup/build.mjs';

/** The journeys walk through the product as it is built, never through its sources. */
export async function setup(): Promise<void> {
  await buildWhenNeeded();
}
