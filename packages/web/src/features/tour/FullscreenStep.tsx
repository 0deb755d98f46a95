import { Button, FocusTrap } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { flows } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { Mark } from '../../shell/Mark.tsx';
import { Illustration } from '../../ui/Illustration.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FlowCards } from './FlowCards.tsx';
import styles from './Tour.module.css';
import { useTour } from './tourState.ts';
import { type TourMoves, tutorialNamespace } from './useTourMoves.ts';

const tutorialFlowsQuery = () => ({
  queryKey: ['flows', currentTenant(), 'tutorial'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(flows.listFlowsOfNamespace, {
      params: { namespace: tutorialNamespace },
      signal,
      failures: 'handled',
    }),
  retry: false,
});

/** The two first steps cover everything: a welcome, and the choice of a flow to look at. */
export function FullscreenStep({ index, moves }: { index: number; moves: TourMoves }) {
  const { t } = useTranslation();
  const { flowId } = useTour();
  const { data: found, isPending } = useQuery(tutorialFlowsQuery());
  const isChoice = index === 1;
  const canGoOn = !isChoice || flowId !== undefined;
  // While flows are chosen the arrows move between the cards.
  useHotkeys(
    [
      ['Escape', moves.skip],
      ['ArrowRight', () => !isChoice && moves.next()],
    ],
    [],
  );
  return (
    <FocusTrap active>
      <div className={styles.screen} role="dialog" aria-modal="true" aria-labelledby="tour-title">
        <div className={styles.content}>
          {isChoice ? null : <Mark size={72} turning />}
          <h1 id="tour-title">{t(isChoice ? 'tour.choose.title' : 'tour.welcome.title')}</h1>
          <p>{t(isChoice ? 'tour.choose.text' : 'tour.welcome.text')}</p>
          {isChoice && isPending && <Loading />}
          {isChoice && found && found.length > 0 && <FlowCards flows={found} />}
          {isChoice && !isPending && !found?.length && (
            <div className={styles.none} role="status">
              <Illustration name="stillWater" />
              {t('tour.choose.none')}
            </div>
          )}
          <div className={styles.buttons}>
            <Button variant="default" onClick={moves.skip}>
              {t('tour.skip')}
            </Button>
            {isChoice && (
              <Button variant="default" onClick={moves.previous}>
                {t('tour.previous')}
              </Button>
            )}
            <Button onClick={moves.next} disabled={!canGoOn} data-autofocus={!isChoice || undefined}>
              {t('tour.next')}
            </Button>
          </div>
        </div>
      </div>
    </FocusTrap>
  );
}
