import { AppError } from '@millrace/contract';

/** Reads a date of the API in milliseconds since the epoch. */
export function readDate(text: string): number {
  // An offset's plus sign often arrives as a space.
  const at = isDay(text) ? Date.parse(text.replace(' ', '+')) : Number.NaN;
  if (Number.isNaN(at)) throw invalid(`"${text}" is not a date such as 2025-03-01T10:00:00Z`);
  return at;
}

/** Begins with a day that exists: of the 31st of February, `Date.parse` makes the 3rd of March. */
function isDay(text: string): boolean {
  const [day] = /^\d{4}-\d\d-\d\d(?=T)/.exec(text) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(`${day}T`);
}

function invalid(message: string): AppError {
  return new AppError('illegal-argument', message);
}
