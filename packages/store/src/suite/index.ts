export type { OpenedStore } from './opened.ts';
export { type PostgresServer, startPostgres } from './postgresServer.ts';
export * from './records.ts';
export { storeSuite } from './storeSuite.ts';
export { temporaryFolder } from './temporaryFolder.ts';
export { alterSqlite, createTestDatabase, type TestDatabase } from './testDatabase.ts';
