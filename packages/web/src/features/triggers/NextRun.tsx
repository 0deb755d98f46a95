import type { Trigger } from '@millrace/contract';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import { DateAgo } from '../../ui/index.ts';

/** The next date of a trigger. During a backfill its row holds a date of the past, and the schedule waits. */
export const nextDateOf = ({ nextExecutionDate, backfill }: Trigger): string | undefined =>
  backfill ? backfill.previousNextExecutionDate : nextExecutionDate;

/** When a trigger runs next; nothing when no date is known. */
export function NextRun({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation();
  const next = nextDateOf(trigger);
  if (trigger.backfill && (next === undefined || Date.parse(next) <= Date.now()))
    return (
      <Hint label={t('trigger.datesState.backfill')}>
        <span>{t('trigger.afterBackfill')}</span>
      </Hint>
    );
  return next === undefined ? null : <DateAgo value={next} />;
}
