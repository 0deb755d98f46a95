import { Button, Menu } from '@mantine/core';
import { type InboxFailure, inbox } from '@millrace/contract';
import { IconList, IconPlayerTrackNext } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { callAsJob, trackJob } from '../../shell/notices/trackedJobs.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { ActionDialog } from '../../ui/dialog/ActionDialog.tsx';
import dialog from '../../ui/dialog/DialogForm.module.css';
import { DateAgo, Loading, StatePill } from '../../ui/index.ts';
import { ExecutionLink } from '../executions/index.ts';
import { FlowLink } from '../flows/index.ts';
import styles from './inbox.module.css';
import { failuresQuery } from './queries.ts';
import { isHidden, RowActions } from './RowActions.tsx';

/** Failures with one cause. */
export function FailureRow({ failure }: { failure: InboxFailure }) {
  const { t } = useTranslation();
  const { namespace, flowId, taskId, message, count, firstAt, at, mark, recoveredAt } = failure;
  const [isAsking, setAsking] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const name = `${flowId}${taskId ? ` · ${taskId}` : ''}`;
  return (
    <li
      className={styles.row}
      data-row
      data-dimmed={isHidden(mark, at) || recoveredAt !== undefined || undefined}
      tabIndex={-1}
    >
      <div className={styles.what}>
        <p className={styles.title}>
          <FlowLink namespace={namespace} id={flowId} />
          {taskId && <code>{taskId}</code>}
          <span className={styles.namespace}>{namespace}</span>
          {recoveredAt && (
            <span className={styles.recovered}>
              {t('inbox.recovered')} <DateAgo value={recoveredAt} />
            </span>
          )}
        </p>
        <ExecutionLink
          namespace={namespace}
          flowId={flowId}
          id={failure.executionId}
          tab="logs"
          className={styles.message}
        >
          {message.split('\n', 1)[0] || t('inbox.noMessage')}
        </ExecutionLink>
        {mark?.note && <p className={styles.note}>{mark.note}</p>}
        {isOpen && <Members failure={failure} />}
      </div>
      <div className={styles.facts}>
        <Sparkline values={failure.trend} label={t('inbox.trend')} />
        <strong title={t('inbox.failed', { count })}>{formatNumber(count)} ×</strong>
        <span className={styles.times}>
          <DateAgo value={at} />
          {count > 1 && (
            <span className={styles.first}>
              {t('inbox.first')} <DateAgo value={firstAt} />
            </span>
          )}
        </span>
      </div>
      <div className={styles.buttons}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlayerTrackNext size={14} />}
          onClick={() => setAsking(true)}
        >
          {t('inbox.restart')}
        </Button>
        <RowActions
          itemKey={failure.key}
          name={name}
          at={at}
          mark={mark}
          more={() => (
            <Menu.Item leftSection={<IconList size={15} stroke={1.7} />} onClick={() => setOpen(!isOpen)}>
              {t(isOpen ? 'inbox.hideExecutions' : 'inbox.showExecutions')}
            </Menu.Item>
          )}
        />
      </div>
      {isAsking && <RestartDialog failure={failure} onClose={() => setAsking(false)} />}
    </li>
  );
}

/** Restarts the whole group; a large one continues as a job whose progress every page shows. */
function RestartDialog({ failure, onClose }: { failure: InboxFailure; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const title = t('inbox.restartTitle');
  const restarting = useMutation({
    mutationFn: () =>
      callAsJob(inbox.restartFailures, { params: { groupId: failure.groupId }, failures: 'handled' }),
    onSuccess: async (done) => {
      onClose();
      if ('jobId' in done) trackJob({ id: done.jobId, title, changes: ['inbox', 'executions'] });
      else showSuccess(t('inbox.restarted', { count: done.reply.count }));
      await client.invalidateQueries({ queryKey: ['inbox'] });
    },
  });
  return (
    <ActionDialog
      title={title}
      confirm={t('inbox.restart')}
      isPending={restarting.isPending}
      error={restarting.error}
      onConfirm={() => restarting.mutate()}
      onClose={onClose}
    >
      <p className={dialog.text}>{t('inbox.restartText')}</p>
    </ActionDialog>
  );
}

const pageSize = 20;

function Members({ failure: { groupId, namespace, flowId } }: { failure: InboxFailure }) {
  const { t } = useTranslation();
  const [size, setSize] = useState(pageSize);
  const { data, error } = useQuery(failuresQuery(groupId, size));
  if (!data) return error ? <p className={styles.note}>{error.message}</p> : <Loading />;
  return (
    <ul className={styles.members}>
      {data.results.map(({ executionId, failedAt, state }) => (
        <li key={executionId}>
          {state ? (
            <StatePill state={state} />
          ) : (
            <span className={styles.namespace}>{t('inbox.deleted')}</span>
          )}
          <ExecutionLink namespace={namespace} flowId={flowId} id={executionId}>
            <code>{executionId.slice(0, 8)}</code>
          </ExecutionLink>
          <DateAgo value={failedAt} />
        </li>
      ))}
      {data.hasMore && (
        <li>
          <Button size="compact-sm" variant="default" onClick={() => setSize(size + pageSize)}>
            {t('inbox.moreExecutions')}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** One bar per hour, the highest as high as the picture. */
function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(1, ...values);
  const width = 4;
  const height = 24;
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${values.length * width} ${height}`}
      width={values.length * width}
      height={height}
      role="img"
      aria-label={`${label}: ${values.join(', ')}`}
    >
      {values.map((value, index) => {
        const bar = value === 0 ? 1 : Math.max(3, Math.round((value / highest) * height));
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar has no identity besides its hour.
            key={index}
            x={index * width}
            y={height - bar}
            width={width - 1}
            height={bar}
            data-empty={value === 0 || undefined}
          />
        );
      })}
    </svg>
  );
}
