import { formatNumber } from './number.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size as people say it: 25 B, 1.2 MB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  const digits = value < 10 && power > 0 ? 1 : 0;
  return `${formatNumber(value, { maximumFractionDigits: digits })} ${units[power]}`;
}
