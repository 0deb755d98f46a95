import type { Flow } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Card, EmptyState, Fact, Facts, Loading } from '../../../ui/index.ts';
import { ExecutionsOfFlow, executionsQuery } from '../../executions/index.ts';
import { ofFlow } from '../../listing/index.ts';
import styles from './FlowConcurrency.module.css';

/** The states in which an execution holds one of the places that the limit gives. */
const holding = ['RUNNING', 'PAUSED', 'RESTARTED', 'RETRYING', 'KILLING'] as const;
const shown = ['QUEUED', ...holding] as const;

/** How much of its concurrency limit a flow uses, and who runs or waits. */
export function FlowConcurrency({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const { namespace, id, concurrency } = flow;
  const { data } = useQuery({
    ...executionsQuery({
      ...ofFlow({ namespace, flowId: id }),
      state: [...holding],
      timeRange: 'P365D',
      size: 1,
    }),
    enabled: concurrency !== undefined,
    refetchInterval: 2_000,
  });
  if (!concurrency) {
    return <EmptyState illustration="wheel" title={t('concurrency.none')} text={t('concurrency.noneText')} />;
  }
  // Unknown until the answer is here: 0 would say that every place is free.
  const running = data?.total;
  const { limit, behavior } = concurrency;
  const percent = Math.min(100, Math.round(((running ?? 0) / limit) * 100));
  const places = t('concurrency.slots', { running: running ?? '–', limit });
  return (
    <>
      <div className={styles.slots}>
        <Card title={t('concurrency.title')}>
          <div
            className={styles.track}
            role="progressbar"
            aria-label={t('concurrency.title')}
            aria-valuemin={0}
            aria-valuemax={limit}
            aria-valuenow={running}
            aria-valuetext={places}
            data-full={(running ?? 0) >= limit || undefined}
          >
            <span style={{ width: `${percent}%` }} />
          </div>
          <Facts>
            <Fact name={t('concurrency.limit')}>{places}</Fact>
            <Fact name={t('concurrency.behavior')}>
              <code>{behavior}</code> · {t(`concurrency.${behavior}`)}
            </Fact>
          </Facts>
        </Card>
      </div>
      <Suspense fallback={<Loading />}>
        <ExecutionsOfFlow
          name="flow-concurrency"
          namespace={namespace}
          flowId={id}
          states={shown}
          empty={
            <EmptyState
              illustration="stillWater"
              title={t('concurrency.quiet')}
              text={t('concurrency.quietText')}
            />
          }
        />
      </Suspense>
    </>
  );
}
