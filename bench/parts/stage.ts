import { Api } from '../../e2e/product/api.ts';
import { type LaunchOptions, launchProduct, type Product } from '../../e2e/product/launchProduct.ts';
import type { Options } from '../options.ts';

/** The environment of a part: fresh databases of one kind, and a progress log. */
export interface Stage {
  readonly options: Options;
  /** The URL of an empty database; undefined means SQLite in the data folder. */
  createDatabase(): Promise<string | undefined>;
  say(text: string): void;
}

/** Measures on a newly started, empty product. */
export async function onFreshProduct<T>(stage: Stage, measure: Measure<T>): Promise<T> {
  const databaseUrl = await stage.createDatabase();
  return onProduct(databaseUrl === undefined ? {} : { databaseUrl }, measure);
}

type Measure<T> = (product: Product, api: Api) => Promise<T>;

/** Measures on a product that is started for it. */
export async function onProduct<T>(options: LaunchOptions, measure: Measure<T>): Promise<T> {
  const product = await launchProduct(options);
  try {
    return await measure(product, new Api(product.url));
  } finally {
    await product.stop();
  }
}
