/** Only schedules have dates that can be run again. */
export const isSchedule = (type: string): boolean => /(^|\.)Schedule(OnDates)?$/.test(type);
