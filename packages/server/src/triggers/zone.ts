import { findZone, type Zone } from '@millrace/engine';

/** Schedules and windows that name no zone are in this one, wherever the server stands. */
export const serverZone = 'UTC';

export function serverZoneRules(): Zone {
  const zone = findZone(serverZone);
  if (!zone) throw new Error(`The zone ${serverZone} is not known.`);
  return zone;
}
