import type { Definition } from '@millrace/plugin-kit';
import { createBucket, createIamPolicy, deleteBucket, updateBucket } from './buckets.ts';
import { compose, list, remove, removeList } from './lists.ts';
import { copy, download, downloads, upload } from './transfer.ts';
import { trigger } from './trigger.ts';

export const gcsTypes: readonly Definition[] = [
  upload,
  download,
  downloads,
  list,
  copy,
  compose,
  remove,
  removeList,
  createBucket,
  updateBucket,
  deleteBucket,
  createIamPolicy,
  trigger,
];
