import { shortType } from '@millrace/engine';

/** Kestra types that Millrace omits on purpose, with their replacements. */
const replacements: ReadonlyMap<string, string> = new Map([
  [
    'core.flow.Loop',
    'use core.flow.ForEach to run tasks for each of its values, or core.flow.LoopUntil to repeat tasks until a condition holds',
  ],
  ['core.flow.Approval', 'use core.flow.Pause with "onResume" to wait for an approval'],
]);

/** The replacement for a type that is left out; undefined for any other type. */
export const insteadOf = (type: string): string | undefined => replacements.get(shortType(type));
