/** Only schedules have dates that can be planned and run again. */
export const isSchedule = (type: string): boolean => /(^|\.)Schedule(OnDates)?$/.test(type);
