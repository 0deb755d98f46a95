import type { Definition } from '@millrace/plugin-kit';
import { copy, copyPartitions, deletePartitions, extractToGcs } from './copy.ts';
import { createDataset, deleteDataset, updateDataset } from './datasets.ts';
import { load, loadFromGcs } from './load.ts';
import { query, trigger } from './query.ts';
import { storageWrite } from './storageWrite.ts';
import { createTable, deleteTable, tableMetadata, updateTable } from './tables.ts';
import { runTransferConfig } from './transferConfig.ts';

export const bigqueryTypes: readonly Definition[] = [
  query,
  trigger,
  load,
  loadFromGcs,
  storageWrite,
  copy,
  copyPartitions,
  deletePartitions,
  extractToGcs,
  createDataset,
  updateDataset,
  deleteDataset,
  createTable,
  updateTable,
  tableMetadata,
  deleteTable,
  runTransferConfig,
];
