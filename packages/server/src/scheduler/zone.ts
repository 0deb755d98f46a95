import { findZone, type Zone } from '@millrace/engine';

/** The time zone of schedules and windows that name none, wherever the server runs. */
export const serverZone = 'UTC';

export function serverZoneRules(): Zone {
  const zone = findZone(serverZone);
  if (!zone) throw new Error(`The zone ${serverZone} is not known.`);
  return zone;
}
