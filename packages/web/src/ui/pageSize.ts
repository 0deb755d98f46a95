import { readStored, writeStored } from '../storage/storage.ts';

export const pageSizes = [10, 25, 50, 100];
const usual = 25;

/** The page size of a list: the address first, then the last choice made on any list. */
export function pageSizeOf(fromAddress: number | undefined): number {
  const stored = Number(readStored('pageSize'));
  return fromAddress ?? (pageSizes.includes(stored) ? stored : usual);
}

export const rememberPageSize = (size: number): void => writeStored('pageSize', String(size));
