import type { CalendarSchedule } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { formatDuration } from '../../format/duration.ts';

/** `every 1 m · 1,440 ×`. */
export function everyInWords({ total, isEstimate, everyMs, isHeld }: CalendarSchedule, t: TFunction): string {
  return [
    ...(everyMs === undefined ? [] : [t('calendar.every', { duration: formatDuration(everyMs) })]),
    t(isEstimate ? 'calendar.aboutTimes' : 'calendar.times', { count: total }),
    ...(isHeld ? [t('calendar.held')] : []),
  ].join(' · ');
}
