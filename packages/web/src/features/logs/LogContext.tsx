import { Button } from '@mantine/core';
import { type LogEntry, logs } from '@millrace/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { AnsiText } from './AnsiText.tsx';
import styles from './LogSearch.module.css';

const fewLines = 5;
const manyLines = 50;
/** Enough to tell entries of one millisecond apart, and short enough for an address. */
const comparedCharacters = 200;

/** A log entry in full, between the lines that its execution wrote before and after it. */
export function LogContext({ entry, search }: { entry: LogEntry; search: string }) {
  const { t } = useTranslation();
  const [lines, setLines] = useState(fewLines);
  const { data } = useQuery(contextQuery(entry, lines));
  // Until the lines are there, and for entries without an execution, the entry stands alone.
  const { entries, index } = data ?? { entries: [entry], index: 0 };
  const mayHaveMore = lines === fewLines && entries.length > fewLines;
  return (
    <div className={styles.context}>
      <ol className={styles.lines}>
        {entries.map((line, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and a list that grows is drawn again.
            key={at}
            className={styles.line}
            data-hit={at === index || undefined}
            {...(at === index && { 'aria-current': true })}
          >
            <span
              className={styles.lineLevel}
              style={{ color: `var(--mr-log-${line.level.toLowerCase()}-text)` }}
            >
              {line.level}
            </span>
            <span className={styles.lineTask}>{line.taskId ?? line.triggerId}</span>
            <pre className={styles.whole}>
              <AnsiText
                message={at === index ? (line.message ?? '') : firstLine(line)}
                search={at === index ? search : ''}
              />
            </pre>
          </li>
        ))}
      </ol>
      {mayHaveMore && (
        <Button size="compact-xs" variant="subtle" onClick={() => setLines(manyLines)}>
          {t('logSearch.moreLines')}
        </Button>
      )}
    </div>
  );
}

const firstLine = ({ message = '' }: LogEntry): string => message.split('\n', 1)[0] ?? '';

const contextQuery = ({ executionId, timestamp, message }: LogEntry, lines: number) =>
  queryOptions({
    queryKey: ['logs', currentTenant(), 'context', executionId, timestamp, message, lines],
    queryFn: ({ signal }) =>
      call(logs.getLogContext, {
        params: { executionId: executionId ?? '' },
        query: { timestamp, lines, message: message?.slice(0, comparedCharacters) },
        signal,
        failures: 'handled',
      }),
    enabled: executionId !== undefined,
    placeholderData: keepPreviousData,
    // The lines around an entry do not change, except behind the newest one.
    staleTime: 30_000,
    retry: false,
  });
