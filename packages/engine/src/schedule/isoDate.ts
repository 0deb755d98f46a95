import type { Zone } from './zone.ts';

/** `2025-03-01T02:00:00+01:00`: an instant as the clocks of a zone show it. */
export function formatInZone(instant: number, zone: Zone): string {
  const offset = zone.offsetAt(instant);
  const local = new Date(instant + offset).toISOString().replace('.000Z', '').replace('Z', '');
  if (offset === 0) return `${local}Z`;
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
