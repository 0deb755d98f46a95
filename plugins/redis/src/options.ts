import { dateTime, duration, flag, part, TaskFailed } from '@millrace/plugin-kit';

export const setOptions = () =>
  part({
    expirationDuration: duration().optional().describe('The value expires after this time.'),
    expirationDate: dateTime().optional().describe('The value expires at this date.'),
    mustNotExist: flag().default(false).describe('Only set a key that does not exist.'),
    mustExist: flag().default(false).describe('Only set a key that exists.'),
    keepTtl: flag().default(false).describe('Keep the time at which the current value expires.'),
  })
    .prefault({})
    .describe('When the value is set and when it expires.');

export const expirationOptions = () =>
  part({
    expirationDuration: duration().optional().describe('The value expires after this time.'),
    expirationDate: dateTime().optional().describe('The value expires at this date.'),
  })
    .optional()
    .describe('When the value expires.');

interface Expiration {
  readonly expirationDuration?: number | undefined;
  readonly expirationDate?: string | undefined;
}

/** The date at which a value expires, in milliseconds. */
export function expiresAt(
  { expirationDuration, expirationDate }: Expiration,
  now: number,
): number | undefined {
  if (expirationDuration !== undefined) return now + expirationDuration;
  return expirationDate === undefined ? undefined : Date.parse(expirationDate);
}

interface SetOptions extends Expiration {
  readonly mustNotExist: boolean;
  readonly mustExist: boolean;
  readonly keepTtl?: boolean;
}

/** The arguments of a SET command after key and value. */
export function setArguments(options: SetOptions, isGet: boolean): string[] {
  if (options.mustExist && options.mustNotExist)
    throw new TaskFailed('"mustExist" and "mustNotExist" cannot be used together.', { retry: false });
  const at = expiresAt(options, Date.now());
  return [
    ...(at === undefined ? [] : ['PXAT', String(Math.round(at))]),
    ...(options.keepTtl && at === undefined ? ['KEEPTTL'] : []),
    ...(options.mustNotExist ? ['NX'] : []),
    ...(options.mustExist ? ['XX'] : []),
    ...(isGet ? ['GET'] : []),
  ];
}
