import { ActionIcon, Button, CloseButton, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import { type LogLevel, logLevels, logs } from '@millrace/contract';
import {
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconCopy,
  IconDownload,
  IconSearch,
} from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkedDownload } from '../../api/checkedDownload.ts';
import { urlOf } from '../../api/index.ts';
import { useCopy } from '../../ui/useCopy.ts';
import { LogList } from './LogList.tsx';
import styles from './LogView.module.css';
import { asText, filterLines, findHits, isBelow, nextHit } from './logLine.ts';
import { useLogLines } from './useLogLines.ts';

interface LogViewProps {
  readonly executionId: string;
  readonly taskRunId?: string | undefined;
  /** How often the task run was tried: of more than one, each can be looked at alone. */
  readonly attempts?: number | undefined;
  readonly minLevel?: LogLevel | undefined;
  readonly live: boolean;
}

/** The log of an execution or of one task run: every line in reach, only those in sight drawn. */
export function LogView({ executionId, taskRunId, attempts = 1, minLevel = 'TRACE', live }: LogViewProps) {
  const { t } = useTranslation();
  const [level, setLevel] = useState(minLevel);
  // Raising the level only hides lines; lowering it below what was read asks the server for more.
  const [readLevel, setReadLevel] = useState(minLevel);
  if (isBelow(level, readLevel)) setReadLevel(level);
  const [onlyRun, setOnlyRun] = useState<{ id: string; taskId: string }>();
  const [attempt, setAttempt] = useState<number>();
  const [search, setSearch] = useState('');
  const [current, setCurrent] = useState<number>();
  const wanted = useDeferredValue(search);

  const log = useLogLines({ executionId, taskRunId, minLevel: readLevel, live });
  const lines = useMemo(
    () => filterLines(log.lines, { minLevel: level, taskRunId: onlyRun?.id, attempt }),
    [log.lines, level, onlyRun, attempt],
  );
  const hits = useMemo(() => findHits(lines, wanted), [lines, wanted]);
  const { copied, copy } = useCopy();

  const step = (by: 1 | -1) => setCurrent(nextHit(hits, current ?? (by === 1 ? -1 : lines.length), by));
  const query = {
    minLevel: level,
    ...(onlyRun ? { taskRunId: onlyRun.id } : taskRunId !== undefined && { taskRunId }),
  };
  const position = current === undefined ? -1 : hits.indexOf(current);

  return (
    <section className={styles.log} aria-label={t('logs.label')}>
      <div className={styles.toolbar}>
        <TextInput
          className={styles.search}
          size="xs"
          value={search}
          placeholder={t('logs.search')}
          aria-label={t('logs.search')}
          leftSection={<IconSearch size={14} aria-hidden />}
          rightSection={search && <CloseButton size="xs" onClick={() => setSearch('')} />}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setCurrent(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
            if (event.key === 'Escape') setSearch('');
          }}
        />
        {search.trim() !== '' && (
          <span className={styles.hits} aria-live="polite">
            {hits.length === 0
              ? t('logs.noHits')
              : t('logs.hits', { current: position + 1, count: hits.length })}
          </span>
        )}
        <Tooltip label={t('logs.previous')}>
          <ActionIcon aria-label={t('logs.previous')} disabled={hits.length === 0} onClick={() => step(-1)}>
            <IconChevronUp size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('logs.next')}>
          <ActionIcon aria-label={t('logs.next')} disabled={hits.length === 0} onClick={() => step(1)}>
            <IconChevronDown size={16} />
          </ActionIcon>
        </Tooltip>
        {onlyRun && (
          <Button
            size="compact-xs"
            variant="light"
            rightSection="×"
            aria-label={t('logs.showAllTasks')}
            onClick={() => setOnlyRun(undefined)}
          >
            {onlyRun.taskId}
          </Button>
        )}
        {attempts > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t('logs.attempt')}
            value={attempt ?? ''}
            data={[
              { value: '', label: t('logs.everyAttempt') },
              ...Array.from({ length: attempts }, (_, index) => ({
                value: String(index),
                label: t('logs.attemptNumber', { number: index + 1 }),
              })),
            ]}
            onChange={({ currentTarget: { value } }) => setAttempt(value === '' ? undefined : Number(value))}
          />
        )}
        <span className={styles.count}>{t('logs.lines', { count: lines.length })}</span>
        <NativeSelect
          size="xs"
          aria-label={t('logs.minLevel')}
          value={level}
          data={[...logLevels]}
          onChange={(event) => setLevel(event.currentTarget.value as LogLevel)} // The options are the levels.
        />
        <Tooltip label={t(copied ? 'logs.copied' : 'logs.copy')}>
          <ActionIcon
            aria-label={t('logs.copy')}
            disabled={lines.length === 0}
            onClick={() => void copy(asText(lines))}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('logs.download')}>
          <ActionIcon
            component="a"
            aria-label={t('logs.download')}
            href={urlOf(logs.downloadLogs, { params: { executionId }, query })}
            download
            onClick={checkedDownload}
          >
            <IconDownload size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      {lines.length > 0 ? (
        <LogList
          lines={lines}
          hits={hits}
          search={wanted}
          currentHit={current}
          follow={live}
          showTask={taskRunId === undefined}
          onOnlyRun={setOnlyRun}
        />
      ) : (
        <p className={styles.empty} role={log.status === 'failed' ? 'alert' : 'status'}>
          {emptyText()}
        </p>
      )}
    </section>
  );

  function emptyText(): string {
    if (log.status === 'loading') return t('logs.loading');
    if (log.status === 'failed') return `${t('logs.failed')} ${log.error ?? ''}`;
    if (onlyRun) return t('logs.emptyTask');
    if (level !== 'TRACE') return t('logs.emptyLevel');
    return t(live ? 'logs.emptyLive' : 'logs.empty');
  }
}
