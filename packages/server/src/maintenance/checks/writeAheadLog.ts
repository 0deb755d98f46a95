import { join } from 'node:path';
import { databaseFile, describeWalDamage, findWalDamage, isFolderLocked } from '@millrace/store';
import { describeRepair } from '../damagedDatabase.ts';
import type { Check, Finding } from './check.ts';

/** Before the other checks: opening the database removes the part of the log that cannot be read. */
export const checkWriteAheadLog: Check = async ({ config }) => {
  const about = (status: Finding['status'], message: string): Finding[] => [
    { check: 'write-ahead log', status, message },
  ];
  if (config.database.url !== undefined) return [];
  if (isFolderLocked(config.data))
    return about('ok', 'In use by a running server; it is checked at the start.');
  const damage = findWalDamage(join(config.data, databaseFile));
  if (!damage) return about('ok', 'Nothing that was committed is missing.');
  const status = damage.mayBeUnfinished ? 'warning' : 'failed';
  return about(status, `${describeWalDamage(damage)} ${await describeRepair(config)}`);
};
