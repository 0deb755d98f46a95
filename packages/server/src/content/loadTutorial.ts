import { createFlow } from '../actions/saveFlow.ts';
import type { Product } from '../product.ts';

const loadedKey = 'tutorial.loaded';

/**
 * Saves the tutorial's flows into a new installation, once: later changes and deletions by users are kept. A
 * flow that cannot be saved is skipped.
 */
export async function loadTutorial(product: Product): Promise<void> {
  const { config, store, content, log } = product;
  if (!config.tutorial.enabled || (await store.getSetting(loadedKey)) === true) return;
  for (const source of await content.tutorialFlows()) {
    try {
      await createFlow(source, product);
    } catch (error) {
      log.warn(
        `A flow of the tutorial was left out: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  await store.commit([{ op: 'setting.put', key: loadedKey, value: true }]);
}
