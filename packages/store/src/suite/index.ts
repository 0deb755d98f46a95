export type { OpenedStore } from './opened.ts';
export * from './records.ts';
export { storeSuite } from './storeSuite.ts';
export { temporaryFolder } from './temporaryFolder.ts';
