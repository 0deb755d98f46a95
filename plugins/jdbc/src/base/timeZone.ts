import { TaskFailed } from '@millrace/plugin-kit';

/** The zone of the server, for tasks without `timeZoneId`. */
export const serverZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Throws when there is no such time zone. */
export function checkZone(zone: string): string {
  if (zone === 'Z' || /^[+-]\d{2}:\d{2}$/.test(zone)) return zone;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    throw new TaskFailed(
      `"timeZoneId" must be a time zone such as Europe/Paris, UTC or +02:00, got "${zone}".`,
      {
        retry: false,
      },
    );
  }
}
