export { type StorageRate, type StorageRateOptions, storageRate } from './bench/storageRate.ts';
export { openStore, type StoreConfig } from './openStore.ts';
export * from './port/aggregate.ts';
export * from './port/op.ts';
export * from './port/session.ts';
export * from './port/statistics.ts';
export * from './port/store.ts';
export { readerEntry, writerEntry } from './sqlite/threadEntry.ts';
export { type BucketWidth, bucketWidths } from './statistics/calendar.ts';
