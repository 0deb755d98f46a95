import { TaskFailed } from '@millrace/plugin-kit';

/** The zone of the server, for tasks without `timeZoneId`. */
export const serverZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Throws when there is no such time zone. */
export function checkZone(zone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    throw new TaskFailed(`"timeZoneId" must be a time zone such as Europe/Paris or UTC, got "${zone}".`, {
      retry: false,
    });
  }
}
