export { aggregateRows } from './aggregate/aggregateRows.ts';
export type { PlainRow } from './aggregate/matchesCondition.ts';
export { type StorageRate, type StorageRateOptions, storageRate } from './bench/storageRate.ts';
export { blobKey, blobPart } from './blobs/blobKey.ts';
export { fromBlobUri, isBlobUri, toBlobUri } from './blobs/blobUri.ts';
export { type BlobConfig, openBlobs, type S3Config } from './blobs/openBlobs.ts';
export type { StoreInspection, StoreInspector } from './maintenance/inspection.ts';
export { openInspector } from './maintenance/openInspector.ts';
export { type OpenOptions, openQueuePool, openStore, type StoreConfig } from './openStore.ts';
export * from './port/aggregate.ts';
export * from './port/cluster.ts';
export * from './port/filter.ts';
export * from './port/flowKey.ts';
export * from './port/op.ts';
export * from './port/retention.ts';
export * from './port/session.ts';
export * from './port/statistics.ts';
export * from './port/store.ts';
export { copyDatabase } from './sqlite/copyDatabase.ts';
export { describeWalDamage, isDamageMessage } from './sqlite/damage.ts';
export { databaseFile } from './sqlite/databaseFile.ts';
export { findWalDamage } from './sqlite/findWalDamage.ts';
export {
  endedServers,
  isFolderLocked,
  type Lock,
  lockFolder,
  lockRemoval,
  lockServer,
  removeServerLock,
} from './sqlite/folderLock.ts';
export { readerEntry, writerEntry } from './sqlite/threadEntry.ts';
export { type BucketWidth, bucketWidths } from './statistics/calendar.ts';
