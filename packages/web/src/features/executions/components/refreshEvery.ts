import type { Execution } from '@millrace/contract';
import { refreshMs } from '../../../ui/index.ts';
import { isLive } from '../isLive.ts';

/** Something on the page is moving: look often. Nothing is: look now and then for what is new. */
export const refreshEvery = (rows: readonly Execution[] | undefined, isOn: boolean): number | false =>
  isOn && (rows?.some(isLive) ? 2_000 : refreshMs);
