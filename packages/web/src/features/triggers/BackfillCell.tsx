import { ActionIcon, Button } from '@mantine/core';
import { type Backfill, type TriggerWithDefinition, triggers } from '@millrace/contract';
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { Suspense, useState } from 'react';
import { call } from '../../api/call.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { isSchedule, useTriggerAction } from './queries.ts';
import styles from './triggers.module.css';

const BackfillDialog = lazyPart(() => import('./BackfillDialog.tsx'), 'BackfillDialog');

/** Starts a backfill of a schedule, or shows how far the present one is and lets it be paused, resumed and ended. */
export function BackfillCell({ trigger }: { trigger: TriggerWithDefinition }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const action = useTriggerAction();
  const { abstractTrigger, triggerContext } = trigger;
  const { namespace, flowId, triggerId, backfill } = triggerContext;
  const body = { namespace, flowId, triggerId };
  if (!abstractTrigger || !isSchedule(abstractTrigger.type)) return null;
  if (!backfill) {
    return (
      <>
        <Button size="compact-xs" variant="default" onClick={() => setAsking(true)}>
          {t('backfill.start')}
        </Button>
        {isAsking && (
          <Suspense>
            <BackfillDialog trigger={triggerContext} onClose={() => setAsking(false)} />
          </Suspense>
        )}
      </>
    );
  }
  const percent = progressOf(backfill);
  const words = [
    t(backfill.paused ? 'backfill.paused' : 'backfill.running'),
    ...(backfill.progress
      ? [datesInWords(backfill, t), remainingInWords(backfill, triggerContext.disabled, t)]
      : []),
  ].join(' · ');
  return (
    <div className={styles.backfill}>
      <Hint label={words} multiline maw={280}>
        <div className={styles.progress}>
          <div
            className={styles.track}
            data-paused={backfill.paused || undefined}
            role="progressbar"
            aria-label={t(backfill.paused ? 'backfill.paused' : 'backfill.running')}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent}
          >
            <span style={{ width: `${percent}%` }} />
          </div>
          {backfill.progress && <small>{progressInShort(backfill, t)}</small>}
        </div>
      </Hint>
      {backfill.paused ? (
        <>
          <Hint label={t('backfill.continue')}>
            <ActionIcon
              size={24}
              aria-label={t('backfill.continue')}
              onClick={() =>
                action.mutate({
                  act: () => call(triggers.unpauseBackfill, { body }),
                  done: t('backfill.continued'),
                })
              }
            >
              <IconPlayerPlay size={15} />
            </ActionIcon>
          </Hint>
          <Hint label={t('backfill.delete')}>
            <ActionIcon
              size={24}
              aria-label={t('backfill.delete')}
              onClick={() =>
                action.mutate({
                  act: () => call(triggers.deleteBackfill, { body }),
                  done: t('backfill.deleted'),
                })
              }
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Hint>
        </>
      ) : (
        <Hint label={t('backfill.pause')}>
          <ActionIcon
            size={24}
            aria-label={t('backfill.pause')}
            onClick={() =>
              action.mutate({
                act: () => call(triggers.pauseBackfill, { body }),
                done: t('backfill.pausedNow'),
              })
            }
          >
            <IconPlayerPause size={15} />
          </ActionIcon>
        </Hint>
      )}
    </div>
  );
}

/** By its dates; by the time between start and end when they are not counted. */
function progressOf({ start, end, currentDate, progress }: Backfill): number {
  if (progress && progress.total > 0) return Math.round((progress.done / progress.total) * 100);
  const from = Date.parse(start);
  const to = end ? Date.parse(end) : Date.now();
  const at = currentDate ? Date.parse(currentDate) : from;
  return to <= from ? 100 : Math.round(Math.min(1, Math.max(0, (at - from) / (to - from))) * 100);
}

/** `12 of 31 dates`. */
function datesInWords({ progress }: Backfill, t: TFunction): string | undefined {
  if (!progress) return undefined;
  const numbers = { done: formatNumber(progress.done), total: formatNumber(progress.total) };
  return t(progress.isEstimate ? 'backfill.progressAbout' : 'backfill.progress', numbers);
}

/** Such as `12/31 · 19 m`. */
export function progressInShort({ progress, paused }: Backfill, t: TFunction): string {
  if (!progress) return '';
  const { done, total, remainingMs } = progress;
  const count = `${formatNumber(done)}/${formatNumber(total)}`;
  if (remainingMs === undefined) return count;
  return `${count} · ${paused ? t('state.PAUSED') : formatDuration(remainingMs)}`;
}

/** The remaining time; of a backfill that stands still, the time after it continues. */
function remainingInWords({ progress, paused }: Backfill, isDisabled: boolean, t: TFunction): string {
  if (progress?.remainingMs === undefined) return t('backfill.measuring');
  const duration = formatDuration(progress.remainingMs);
  return t(paused || isDisabled ? 'backfill.leftLater' : 'backfill.left', { duration });
}

/** Dates, executions, pace and remaining time of a backfill. */
export function BackfillFacts({ backfill, isDisabled }: { backfill: Backfill; isDisabled: boolean }) {
  const { t } = useTranslation();
  const { progress } = backfill;
  if (!progress) return null;
  return (
    <ul className={styles.facts}>
      <li>{datesInWords(backfill, t)}</li>
      <li>{t('backfill.executions', { count: progress.executions })}</li>
      {progress.msPerDate !== undefined && (
        <li>{t('backfill.pace', { duration: formatDuration(progress.msPerDate) })}</li>
      )}
      <li>{remainingInWords(backfill, isDisabled, t)}</li>
    </ul>
  );
}
