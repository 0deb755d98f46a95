import { Api } from '../../e2e/product/api.ts';
import { launchProduct, type Product } from '../../e2e/product/launchProduct.ts';
import type { Options } from '../options.ts';

/** What a part measures on: fresh databases of one kind, and a voice. */
export interface Stage {
  readonly options: Options;
  /** The address of an empty database; undefined means SQLite in the data folder. */
  createDatabase(): Promise<string | undefined>;
  say(text: string): void;
}

/** Measures on a product that has just started with nothing in it. */
export async function onFreshProduct<T>(
  stage: Stage,
  measure: (product: Product, api: Api) => Promise<T>,
): Promise<T> {
  const databaseUrl = await stage.createDatabase();
  const product = await launchProduct(databaseUrl === undefined ? {} : { databaseUrl });
  try {
    return await measure(product, new Api(product.url));
  } finally {
    await product.stop();
  }
}
