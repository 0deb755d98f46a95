import { Button } from '@mantine/core';
import type { Flow } from '@millrace/contract';
import { IconBolt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import {
  Card,
  DateAgo,
  EmptyState,
  Fact,
  Facts,
  rangeParameters,
  refreshMs,
  StatePill,
  Tags,
} from '../../../ui/index.ts';
import { Markdown } from '../../../ui/markdown/Markdown.tsx';
import { executionsQuery, LastRuns } from '../../executions/index.ts';
import { ofFlow } from '../../listing/index.ts';
import { ExecutionsChart } from '../../stats/index.ts';
import { NextRun, nextDateOf, triggersQuery } from '../../triggers/index.ts';
import styles from './FlowOverview.module.css';

const lastMonth = { kind: 'relative', duration: 'P30D' } as const;

const mostNamed = 20;

/** The first names, and how many more there are: a flow may have hundreds of tasks. */
const shortList = (names: readonly string[]): string =>
  names.slice(0, mostNamed).join(', ') + (names.length > mostNamed ? ` +${names.length - mostNamed}` : '');

/** What a flow is and how its last runs went. */
export function FlowOverview({ flow, onExecute }: { flow: Flow; onExecute: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}' });
  const of = ofFlow({ namespace: flow.namespace, flowId: flow.id });
  const { data } = useQuery({
    ...executionsQuery({ ...of, kind: 'NORMAL', size: 40 }),
    refetchInterval: 5_000,
  });
  const last = data?.results[0];
  return (
    <div className={styles.overview}>
      <Card title={t('flow.about')}>
        {flow.unknownTypes && (
          <p className={styles.missing}>
            {t('flow.pluginMissingHelp', { types: flow.unknownTypes.join(', ') })}
          </p>
        )}
        {flow.description ? (
          <div className={styles.description}>
            <Markdown text={flow.description} compact />
          </div>
        ) : (
          <p className={styles.description}>{t('flow.noDescription')}</p>
        )}
        <Facts>
          <Fact name={t('flow.namespace')}>{flow.namespace}</Fact>
          <Fact name={t('flow.revision')}>{flow.revision}</Fact>
          {flow.tasks.length > 0 && (
            <Fact name={t('flow.tasks')}>{shortList(flow.tasks.map((task) => task.id))}</Fact>
          )}
          {flow.inputs && flow.inputs.length > 0 && (
            <Fact name={t('flow.inputs')}>
              {shortList(flow.inputs.map((input) => `${input.id} (${input.type})`))}
            </Fact>
          )}
          {flow.triggers && flow.triggers.length > 0 && (
            <>
              <Fact name={t('flow.triggers')}>{shortList(flow.triggers.map((trigger) => trigger.id))}</Fact>
              <NextRuns flow={flow} />
            </>
          )}
          {flow.labels && flow.labels.length > 0 && (
            <Fact name={t('flow.labels')}>
              <Tags items={flow.labels} max={12} wrap />
            </Fact>
          )}
          {last && (
            <Fact name={t('flow.lastRun')}>
              <span className={styles.lastRun}>
                <StatePill state={last.state.current} />
                <DateAgo value={last.state.startDate} />
              </span>
            </Fact>
          )}
        </Facts>
      </Card>
      <Card title={t('flow.runs')}>
        {data && data.total === 0 ? (
          <EmptyState
            illustration="stillWater"
            title={t('flow.neverRan')}
            {...(!flow.disabled &&
              !flow.deleted && {
                text: t('flow.neverRanText'),
                action: (
                  <Button leftSection={<IconBolt size={16} />} onClick={() => onExecute()}>
                    {t('flow.execute')}
                  </Button>
                ),
              })}
          />
        ) : (
          <LastRuns executions={data?.results} />
        )}
      </Card>
      {data && data.total > 0 && (
        <div className={styles.wide}>
          <Card title={t('flow.perDay')}>
            <ExecutionsChart
              of="executions"
              filters={of}
              range={lastMonth}
              beginsWithData
              isFramed={false}
              refetchInterval={refreshMs}
              onRange={(range) =>
                void navigate({
                  params: (old) => ({ ...old, tab: 'executions' }),
                  search: rangeParameters(range),
                })
              }
            />
          </Card>
        </div>
      )}
    </div>
  );
}

/** When a flow starts by itself next; nothing while no trigger knows. */
function NextRuns({ flow: { namespace, id } }: { flow: Flow }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...triggersQuery({ ...ofFlow({ namespace, flowId: id }), size: 100 }),
    refetchInterval: 10_000,
  });
  const next = data?.results
    .filter(({ triggerContext }) => !triggerContext.disabled)
    .map(({ triggerContext }) => triggerContext)
    .filter((trigger) => nextDateOf(trigger) ?? trigger.backfill)
    .toSorted((a, b) => (nextDateOf(a) ?? '~').localeCompare(nextDateOf(b) ?? '~'))[0];
  if (!next) return null;
  return (
    <Fact name={t('flow.firesNext')}>
      <NextRun trigger={next} />
    </Fact>
  );
}
