import { type LogEntry, type LogLevel, logLevels, logs, type QueryInputOf, tables } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { readStored } from '../../storage/storage.ts';
import {
  type Column,
  DateTime,
  dateColumnWidth,
  EmptyState,
  Page,
  ResourceList,
  refreshMs,
  useListView,
  useLive,
} from '../../ui/index.ts';
import { ExecutionLink } from '../executions/index.ts';
import { FlowLink } from '../flows/index.ts';
import { exportLinks, ofFlow, useFilterFields } from '../listing/index.ts';
import { LogsChart, useQueryWithStats } from '../stats/index.ts';
import { AnsiText } from './AnsiText.tsx';
import { LogContext } from './LogContext.tsx';
import styles from './LogSearch.module.css';

/** How far a search of logs looks back when no date is asked for. */
const defaultRange = 'P7D';

interface LogSearchProps {
  /** Names what is remembered of this list in the browser. */
  name: string;
  /** What the page around the list is about. */
  of?: { namespace: string; flowId: string };
}

/** Log entries of all executions and triggers, newest first. */
export function LogSearch({ name, of }: LogSearchProps) {
  const { t } = useTranslation();
  const fields = useFilterFields('log', {
    prominent: of ? ['level'] : ['level', 'namespace'],
    without: of ? ['namespace', 'flowId', 'scope'] : [],
  });
  const view = useListView({
    fields,
    defaultSort: 'timestamp:desc',
    defaultRange,
    defaults: [{ field: 'level', operation: 'EQUALS', values: [defaultLevel()] }],
    ...(of && { fixed: ofFlow(of) }),
  });
  const live = useLive(view);
  const query = useQuery({
    queryKey: ['logs', currentTenant(), 'search', view.query],
    queryFn: ({ signal }) =>
      call(logs.searchLogs, { query: view.query as QueryInputOf<typeof logs.searchLogs>, signal }), // Built from the server's own fields.
    placeholderData: keepPreviousData,
    refetchInterval: live.isOn && refreshMs,
  });
  const [firstHit, setFirstHit] = useState<{ readonly q?: string | undefined; readonly id?: string }>({});
  const [top] = query.data?.results ?? [];
  // A search opens its first hit; hits that arrive later do not open by themselves.
  if (top && !query.isPlaceholderData && firstHit.q !== view.q)
    setFirstHit({ q: view.q, ...(view.q && { id: entryId(top) }) });
  const columns = useMemo(
    () => logColumns(t, { ofOneFlow: of !== undefined, search: view.q }),
    [t, of, view.q],
  );
  return (
    <ResourceList<LogEntry>
      name={name}
      label={t('nav.logs')}
      placeholder={t('logSearch.search')}
      view={view}
      columns={columns}
      query={useQueryWithStats(query)}
      live={live}
      exports={exportLinks(view, tables.exportLogsAsCsv, tables.exportLogsAsJson)}
      rowId={entryId}
      details={(entry) => <LogContext entry={entry} search={view.q ?? ''} />}
      unfoldedId={firstHit.id}
      chart={
        view.range && (
          <LogsChart
            filters={view.filters}
            range={view.range}
            beginsWithData={!view.isRangeChosen}
            onRange={view.setRange}
            refetchInterval={live.isOn && refreshMs}
          />
        )
      }
      empty={
        <EmptyState illustration="stillWater" title={t('logSearch.none')} text={t('logSearch.noneText')} />
      }
    />
  );
}

/** Entries have no id; two of one task run in the same millisecond differ at least in their text. */
const entryId = (entry: LogEntry): string =>
  [entry.timestamp, entry.taskRunId ?? entry.triggerId ?? '', entry.level, entry.message?.slice(0, 200)].join(
    ' ',
  );

function defaultLevel(): LogLevel {
  const stored = readStored('defaultLogLevel');
  return logLevels.find((level) => level === stored) ?? 'INFO';
}

interface ColumnOptions {
  readonly ofOneFlow: boolean;
  /** The words of the search, marked in the messages. */
  readonly search: string | undefined;
}

function logColumns(t: TFunction, { ofOneFlow, search }: ColumnOptions): Column<LogEntry>[] {
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
      cell: (entry) => <Source entry={entry} search={search} />,
      width: 216,
      hideBelow: 'sm',
    },
    {
      id: 'message',
      header: t('logSearch.message'),
      cell: ({ message = '' }) => (
        <span className={styles.message}>
          <AnsiText message={message.split('\n', 1)[0] ?? ''} search={search ?? ''} />
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
function Source({ entry, search }: { entry: LogEntry; search: string | undefined }) {
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
          q={search}
        >
          {executionId.slice(0, 8)}
        </ExecutionLink>
      )}
      <span className={styles.quiet}>{taskId ?? triggerId}</span>
    </span>
  );
}

export function LogListPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.logs')}>
      <LogSearch name="logs" />
    </Page>
  );
}
