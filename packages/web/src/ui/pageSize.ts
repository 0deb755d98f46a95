import { readStored, writeStored } from '../storage/storage.ts';
import { pageSizes } from './table/Pager.tsx';

const usual = 25;

/** The page size of a list: the address first, then the last choice made on any list. */
export function pageSizeOf(fromAddress: number | undefined): number {
  const stored = Number(readStored('pageSize'));
  return fromAddress ?? (pageSizes.includes(stored) ? stored : usual);
}

export const rememberPageSize = (size: number): void => writeStored('pageSize', String(size));
