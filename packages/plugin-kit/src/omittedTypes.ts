import { shortType } from '@millrace/engine';

/** Kestra types that Millrace omits on purpose, with their replacements. */
const replacements: ReadonlyMap<string, string> = new Map([
  ['core.flow.Approval', 'use core.flow.Pause with "onResume" to wait for an approval'],
]);

/** The replacement for a type that is left out; undefined for any other type. */
export const insteadOf = (type: string): string | undefined => replacements.get(shortType(type));
