/** The zone of this machine: days of statistics begin at its midnight. */
export const serverTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
