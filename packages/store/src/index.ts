export { aggregateRows } from './aggregate/aggregateRows.ts';
export type { PlainRow } from './aggregate/matchesCondition.ts';
export type { BlobConfig, S3Config } from './blobs/blobConfig.ts';
export { blobKey, blobPart } from './blobs/blobKey.ts';
export { fromBlobUri, isBlobUri, toBlobUri } from './blobs/blobUri.ts';
export { openBlobs } from './blobs/openBlobs.ts';
export type { StoreInspection, StoreInspector } from './maintenance/inspection.ts';
export { openInspector } from './maintenance/openInspector.ts';
export { openQueuePool, openStore } from './openStore.ts';
export * from './port/aggregate.ts';
export * from './port/cluster.ts';
export * from './port/document.ts';
export * from './port/filter.ts';
export * from './port/flowKey.ts';
export * from './port/health.ts';
export * from './port/op.ts';
export * from './port/queries.ts';
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
export { type BucketWidth, bucketsBetween, bucketWidths, calendarOf } from './statistics/calendar.ts';
export type { OpenOptions, StoreConfig } from './storeConfig.ts';
