import type { LaunchOptions } from './launchProduct.ts';

interface DatabaseKind {
  readonly name: string;
  /** A fresh, empty database; SQLite needs none, it lies in the data folder. */
  createDatabase(): Promise<Pick<LaunchOptions, 'databaseUrl'>>;
}

/** The databases that every journey is walked on. */
export const eachDatabase: readonly DatabaseKind[] = [{ name: 'SQLite', createDatabase: async () => ({}) }];
