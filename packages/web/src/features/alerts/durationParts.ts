import { parseIsoDuration } from '../../format/duration.ts';

/** The units that a duration of a rule is written in, with their lengths in milliseconds. */
export const durationUnits = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
} as const;
export type DurationUnit = keyof typeof durationUnits;

/** A duration in the longest unit that has a whole number of it; undefined when no unit has. */
export function splitDuration(text: string): { amount: number; unit: DurationUnit } | undefined {
  const ms = text === '' ? 0 : parseIsoDuration(text);
  if (ms === undefined) return undefined;
  if (ms === 0) return { amount: 0, unit: 'minutes' };
  const units = Object.keys(durationUnits).reverse() as DurationUnit[]; // `as`: the keys are the units.
  const unit = units.find((name) => ms % durationUnits[name] === 0);
  return unit && { amount: ms / durationUnits[unit], unit };
}

export function writeDuration(amount: number, unit: DurationUnit): string {
  if (unit === 'days') return `P${amount}D`;
  return `PT${amount}${{ seconds: 'S', minutes: 'M', hours: 'H' }[unit]}`;
}
