import { createFlow } from '../actions/saveFlow.ts';
import type { Product } from '../product.ts';

const loadedKey = 'tutorial.loaded';

/**
 * Puts the flows of the tutorial into a new installation, once: what users change or delete stays as they left it. A
 * flow that cannot be saved is left out; the product works without.
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
