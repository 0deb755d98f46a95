import { type LogEntry, type LogLevel, logLevels, logs, type QueryInputOf } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { readStored } from '../../storage/storage.ts';
import { EmptyState, ResourceList, refreshMs, useListView, useLive } from '../../ui/index.ts';
import { ofFlow, useFilterFields } from '../listing/index.ts';
import { LogsChart, useQueryWithStats } from '../stats/index.ts';
import { AnsiText } from './AnsiText.tsx';
import styles from './LogSearch.module.css';
import { logColumns } from './logColumns.tsx';

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
  const columns = useMemo(() => logColumns(t, { ofOneFlow: of !== undefined }), [t, of]);
  return (
    <ResourceList<LogEntry>
      name={name}
      label={t('nav.logs')}
      placeholder={t('logSearch.search')}
      view={view}
      columns={columns}
      query={useQueryWithStats(query)}
      live={live}
      rowId={entryId}
      details={(entry) => (
        <pre className={styles.whole}>
          <AnsiText message={entry.message ?? ''} search={view.q ?? ''} />
        </pre>
      )}
      chart={
        view.range && (
          <LogsChart
            filters={view.filters}
            range={view.range}
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

/** Entries have no id of their own; two of one task run in the same millisecond differ at least in their text. */
const entryId = (entry: LogEntry): string =>
  [entry.timestamp, entry.taskRunId ?? entry.triggerId ?? '', entry.level, entry.message?.slice(0, 200)].join(
    ' ',
  );

function defaultLevel(): LogLevel {
  const stored = readStored('defaultLogLevel');
  return logLevels.find((level) => level === stored) ?? 'INFO';
}
