import { ActionIcon, Button } from '@mantine/core';
import { type Backfill, type TriggerWithDefinition, triggers } from '@millrace/contract';
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { datesInWords, progressInShort, remainingInWords } from './BackfillFacts.tsx';
import { isSchedule } from './isSchedule.ts';
import { useTriggerAction } from './queries.ts';
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
