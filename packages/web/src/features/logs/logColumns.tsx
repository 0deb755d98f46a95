import type { LogEntry } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { type Column, DateTime, dateColumnWidth } from '../../ui/index.ts';
import { ExecutionLink } from '../executions/index.ts';
import { FlowLink } from '../flows/index.ts';
import { AnsiText } from './AnsiText.tsx';
import styles from './LogSearch.module.css';

export function logColumns(t: TFunction, { ofOneFlow }: { ofOneFlow: boolean }): Column<LogEntry>[] {
  const columns: Column<LogEntry>[] = [
    {
      id: 'level',
      header: t('filterField.level'),
      cell: ({ level }) => <Level level={level} />,
      width: 84,
      identifies: true,
    },
    {
      id: 'time',
      header: t('logSearch.time'),
      cell: ({ timestamp }) => <DateTime value={timestamp} />,
      sortField: 'timestamp',
      width: dateColumnWidth(),
      hideBelow: 'md',
    },
    {
      id: 'flow',
      header: t('execution.flow'),
      cell: ({ namespace, flowId }) => (
        <FlowLink namespace={namespace} id={flowId}>
          <span className={styles.quiet}>{namespace}.</span>
          {flowId}
        </FlowLink>
      ),
      width: '15%',
      hideBelow: 'xl',
    },
    {
      id: 'source',
      header: t('logSearch.source'),
      cell: (entry) => <Source entry={entry} />,
      width: 216,
      hideBelow: 'sm',
    },
    {
      id: 'message',
      header: t('logSearch.message'),
      cell: ({ message = '' }) => (
        <span className={styles.message}>
          <AnsiText message={message.split('\n', 1)[0] ?? ''} search="" />
        </span>
      ),
      identifies: true,
    },
  ];
  return ofOneFlow ? columns.filter(({ id }) => id !== 'flow') : columns;
}

function Level({ level }: { level: LogEntry['level'] }) {
  const name = level.toLowerCase();
  return (
    <span
      className={styles.level}
      style={{ color: `var(--mr-log-${name}-text)`, background: `var(--mr-log-${name}-tint)` }}
    >
      {level}
    </span>
  );
}

/** Where the line came from: a task run of an execution, or a trigger. */
function Source({ entry }: { entry: LogEntry }) {
  const { executionId, taskId, triggerId, namespace, flowId, taskRunId } = entry;
  return (
    <span className={styles.source}>
      {executionId && (
        <ExecutionLink
          id={executionId}
          namespace={namespace}
          flowId={flowId}
          tab="logs"
          taskRunId={taskRunId}
        >
          {executionId.slice(0, 8)}
        </ExecutionLink>
      )}
      <span className={styles.quiet}>{taskId ?? triggerId}</span>
    </span>
  );
}
