import { type Execution, executionReads, type WaitedFor, type Waiting } from '@millrace/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { DateAgo, DateTime } from '../../../ui/index.ts';
import { plainText } from '../../../ui/markdown/plainText.ts';
import { TextWithElements } from '../../../ui/values/TextWithElements.tsx';
import { ActorName } from '../ActorName.tsx';
import { ExecutionLink } from '../ExecutionLink.tsx';
import styles from './WaitingReasons.module.css';

const refreshMs = 5_000;
/** A task run is started within moments; only one that waits longer needs an explanation. */
const patienceMs = 3_000;

const waitingQuery = ({ id, state }: Execution) =>
  queryOptions({
    queryKey: ['execution', currentTenant(), id, 'waiting', state.histories.length],
    queryFn: ({ signal }) =>
      call(executionReads.explainWaiting, { params: { executionId: id }, signal, failures: 'handled' }),
    // Others leave the queue and workers start without a change of this execution.
    refetchInterval: refreshMs,
    retry: false,
  });

/** Why an execution does not continue, and what would let it continue. */
export function WaitingReasons({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const { data = [], dataUpdatedAt } = useQuery(waitingQuery(execution));
  const shown = data.filter(
    (reason) => reason.kind !== 'worker' || dataUpdatedAt - Date.parse(reason.since) > patienceMs,
  );
  if (shown.length === 0) return null;
  return (
    <ul className={styles.reasons} aria-label={t('waiting.label')}>
      {shown.slice(0, maxShown).map((reason) => (
        <li key={`${reason.kind} ${'taskRunId' in reason ? reason.taskRunId : ''}`} data-kind={reason.kind}>
          <Reason reason={reason} execution={execution} />
        </li>
      ))}
      {shown.length > maxShown && <li>{t('waiting.more', { number: shown.length - maxShown })}</li>}
    </ul>
  );
}

const maxShown = 4;

function Reason({ reason, execution }: { reason: Waiting; execution: Execution }) {
  const { t } = useTranslation();
  const when = 'until' in reason && reason.until !== undefined && <When value={reason.until} />;
  const task = 'taskRunId' in reason && reason.taskRunId !== undefined && (
    <ExecutionLink {...execution} tab="gantt" taskRunId={reason.taskRunId}>
      <code>{reason.value === undefined ? reason.taskId : `${reason.taskId} · ${reason.value}`}</code>
    </ExecutionLink>
  );
  switch (reason.kind) {
    case 'schedule':
      return (
        <Text
          text={t('waiting.schedule')}
          parts={{ date: <DateTime value={reason.until} />, when: <DateAgo value={reason.until} /> }}
        />
      );
    case 'queue':
      return <QueueReason reason={reason} />;
    case 'pause':
      return (
        <>
          {task ? (
            <Text text={t('waiting.pause')} parts={{ task }} />
          ) : (
            <>
              {t('waiting.pausedByUser')} {reason.by && <ActorName actor={reason.by} />}
            </>
          )}
          {reason.text !== undefined && <q className={styles.question}>{plainText(reason.text)}</q>}
          {reason.inputs.length > 0 && (
            <span>
              {t('waiting.asks')}{' '}
              {reason.inputs.map(({ id, displayName, type }) => (
                <code key={id} className={styles.input} title={type}>
                  {displayName ?? id}
                </code>
              ))}
            </span>
          )}
          {when && reason.then !== undefined && (
            <Text text={t(`waiting.then.${reason.then}`)} parts={{ when }} />
          )}
        </>
      );
    case 'retry':
      return (
        <Text
          text={t(reason.newExecution ? 'waiting.retryAsExecution' : 'waiting.retry', {
            attempt: reason.attempt,
          })}
          parts={{ task, when }}
        />
      );
    case 'loop':
      return <Text text={t('waiting.loop')} parts={{ task, when }} />;
    case 'breakpoint':
      return <Text text={t('waiting.breakpoint')} parts={{ task }} />;
    case 'worker':
      return <WorkerReason reason={reason} task={task} />;
  }
}

/** "in 9 minutes"; a later moment also with its date, because "tomorrow" is not enough to plan with. */
function When({ value }: { value: string }) {
  if (Date.parse(value) - Date.now() < hourMs) return <DateAgo value={value} />;
  return (
    <>
      <DateAgo value={value} /> (<DateTime value={value} />)
    </>
  );
}
const hourMs = 3_600_000;

/** One piece of the line: its words wrap together. */
const Text = (props: ComponentProps<typeof TextWithElements>) => (
  <span>
    <TextWithElements {...props} />
  </span>
);

function QueueReason({ reason }: { reason: Extract<Waiting, { kind: 'queue' }> }) {
  const { t } = useTranslation();
  const { limit, running, holders, ahead, next } = reason;
  return (
    <>
      <span>{t('waiting.queue', { limit: formatNumber(limit), running: formatNumber(running) })}</span>
      <Executions label={t('waiting.holders')} list={holders} total={running} />
      {ahead > 0 ? (
        <Executions label={t('waiting.ahead')} list={next} total={ahead} />
      ) : (
        <span>{t('waiting.first')}</span>
      )}
    </>
  );
}

function Executions({ label, list, total }: { label: string; list: readonly WaitedFor[]; total: number }) {
  const { t } = useTranslation();
  if (list.length === 0) return null;
  return (
    <span className={styles.list}>
      {label}
      {list.map((one) => (
        <ExecutionLink key={one.id} {...one}>
          <code>{one.id.slice(0, 8)}</code>
        </ExecutionLink>
      ))}
      {total > list.length && t('waiting.more', { number: total - list.length })}
    </span>
  );
}

function WorkerReason({ reason, task }: { reason: Extract<Waiting, { kind: 'worker' }>; task: ReactNode }) {
  const { t } = useTranslation();
  const { count, workerGroup, able, drained = 0, workers, since, isMaintenance } = reason;
  const parts = { task, since: <DateAgo value={since} /> };
  if (isMaintenance) return <Text text={t('waiting.maintenance')} parts={parts} />;
  return (
    <>
      <Text
        text={
          workerGroup === undefined ? t('waiting.worker') : t('waiting.workerGroup', { group: workerGroup })
        }
        parts={parts}
      />
      {count > 1 && <span>{t('waiting.more', { number: count - 1 })}</span>}
      {able === 0 && drained > 0 && (
        <Text
          text={t('waiting.drained', { number: drained })}
          parts={{
            servers: (
              <Link to="/{-$tenant}/admin/stats/{-$tab}" params={{ tab: 'servers' }} search={{}}>
                {t('instance.tab.servers')}
              </Link>
            ),
          }}
        />
      )}
      <span>
        {able > 0 && t('waiting.busyWorkers', { number: able })}
        {able + drained === 0 && t('waiting.noWorkers')}
        {able + drained === 0 && workers.length > 0 && (
          <>
            {' '}
            {t('waiting.otherWorkers')}{' '}
            {workers.map(({ id, workerGroup: group }) => (
              <code key={id} className={styles.input} title={id}>
                {group ?? t('waiting.noGroup')}
              </code>
            ))}
          </>
        )}
      </span>
    </>
  );
}
