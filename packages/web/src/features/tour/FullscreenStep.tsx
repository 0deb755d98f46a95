import { Button, FocusTrap } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type Flow, flows } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Logo } from '../../shell/Logo.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { Illustration } from '../../ui/page/EmptyState.tsx';
import { PluginIcon } from '../topology/index.ts';
import { type TourMoves, tutorialNamespace } from './steps.ts';
import styles from './Tour.module.css';
import { chooseFlow, useTour } from './tourState.ts';

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
  const firstLesson = byLesson(found ?? [])[0]?.id;
  useEffect(() => {
    if (isChoice && flowId === undefined && firstLesson !== undefined) chooseFlow(firstLesson);
  }, [isChoice, flowId, firstLesson]);
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
          {isChoice ? null : <Logo size={72} turning />}
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

/** One card a flow, of which one can be chosen. */
function FlowCards({ flows }: { flows: readonly Flow[] }) {
  const { t } = useTranslation();
  const { flowId } = useTour();
  return (
    <div className={styles.cards} role="radiogroup" aria-label={t('tour.choose.title')}>
      {byLesson(flows).map((flow) => (
        <label key={flow.id} className={styles.card} data-chosen={flow.id === flowId || undefined}>
          <input
            type="radio"
            name="tutorial-flow"
            className={styles.radio}
            checked={flow.id === flowId}
            onChange={() => chooseFlow(flow.id)}
            aria-label={flow.id}
          />
          <div className={styles.icons}>
            {taskTypesOf(flow).map((type) => (
              <span key={type} data-type={type}>
                <PluginIcon type={type} />
              </span>
            ))}
          </div>
          <div className={styles.description}>
            <Markdown text={flow.description ?? flow.id} compact />
          </div>
        </label>
      ))}
    </div>
  );
}

/** In the order of the label `lesson`; flows without one come last. */
export function byLesson<F extends Pick<Flow, 'labels'>>(flows: readonly F[]): readonly F[] {
  const lessonOf = ({ labels }: F): number => {
    const lesson = Number(labels?.find(({ key }) => key === 'lesson')?.value);
    return Number.isFinite(lesson) ? lesson : Number.POSITIVE_INFINITY;
  };
  return flows.toSorted((a, b) => (lessonOf(a) === lessonOf(b) ? 0 : lessonOf(a) - lessonOf(b)));
}

/** The parts of Docker that look alike count as one; where a task runs is no task. */
const sameIcon: Readonly<Record<string, string>> = { 'docker.Build': 'docker.Run' };
const runner = /(^|\.)runner\.(docker\.)?Docker$/;

/** The types of all tasks of a flow, however deep they are nested, each once and in order. */
export function taskTypesOf(flow: Pick<Flow, 'tasks'>): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value && typeof value.type === 'string' && 'id' in value) {
      const short = value.type.replace(/^io\.kestra\.plugin\./, '');
      if (!runner.test(short)) found.add(sameIcon[short] ?? value.type);
    }
    Object.values(value).forEach(visit);
  };
  visit(flow.tasks);
  return [...found];
}
