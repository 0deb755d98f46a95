import { createTestDatabase } from '@millrace/store/suite';
import type { LaunchOptions } from './launchProduct.ts';

interface DatabaseKind {
  readonly name: string;
  /** A fresh, empty database; SQLite needs none, it lies in the data folder. */
  createDatabase(): Promise<Pick<LaunchOptions, 'databaseUrl'>>;
}

/** The databases that every journey is walked on. The test run stops its PostgreSQL server with all that is in it. */
export const eachDatabase: readonly DatabaseKind[] = [
  { name: 'SQLite', createDatabase: async () => ({}) },
  { name: 'PostgreSQL', createDatabase: async () => ({ databaseUrl: (await createTestDatabase()).url }) },
];
