import { ActionIcon, CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { type LogLevel, logLevels } from '@millrace/contract';
import {
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconCopy,
  IconDownload,
  IconFold,
  IconSearch,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { checkedDownload } from '../../api/download.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import { useCopy } from '../../ui/values/Id.tsx';
import styles from './LogView.module.css';

interface LogToolbarProps {
  /** Before the search: what the page around the log lets people choose. */
  readonly lead: ReactNode;
  readonly search: string;
  onSearch(text: string): void;
  readonly hitCount: number;
  /** Which hit is the current one, from 0; -1 before the first step. */
  readonly hitPosition: number;
  onStep(by: 1 | -1): void;
  readonly attempts: number;
  /** Counted from zero; undefined for all of them. */
  readonly attempt: number | undefined;
  onAttempt(attempt: number | undefined): void;
  readonly lineCount: number;
  readonly level: LogLevel;
  onLevel(level: LogLevel): void;
  /** Given when the log has groups: opens all of them, or closes them when all are open. */
  readonly fold: { readonly areAllOpen: boolean; onToggleAll(): void } | undefined;
  readonly text: () => string;
  readonly downloadUrl: string;
}

export function LogToolbar(props: LogToolbarProps) {
  const { search, hitCount, fold } = props;
  const { t } = useTranslation();
  const { copied, copy } = useCopy();
  const foldName = t(fold?.areAllOpen ? 'logs.closeAll' : 'logs.openAll');
  return (
    <div className={styles.toolbar}>
      {props.lead}
      <TextInput
        className={styles.search}
        size="xs"
        value={search}
        placeholder={t('logs.search')}
        aria-label={t('logs.search')}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={search && <CloseButton size="xs" onClick={() => props.onSearch('')} />}
        onChange={(event) => props.onSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') props.onStep(event.shiftKey ? -1 : 1);
          if (event.key === 'Escape') props.onSearch('');
        }}
      />
      {search.trim() !== '' && (
        <>
          <span className={styles.hits} aria-live="polite">
            {hitCount === 0
              ? t('logs.noHits')
              : t('logs.hits', { current: props.hitPosition + 1, count: hitCount })}
          </span>
          <Hint label={t('logs.previous')}>
            <ActionIcon
              aria-label={t('logs.previous')}
              disabled={hitCount === 0}
              onClick={() => props.onStep(-1)}
            >
              <IconChevronUp size={16} />
            </ActionIcon>
          </Hint>
          <Hint label={t('logs.next')}>
            <ActionIcon aria-label={t('logs.next')} disabled={hitCount === 0} onClick={() => props.onStep(1)}>
              <IconChevronDown size={16} />
            </ActionIcon>
          </Hint>
        </>
      )}
      {props.attempts > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('logs.attempt')}
          value={props.attempt ?? ''}
          data={[
            { value: '', label: t('logs.everyAttempt') },
            ...Array.from({ length: props.attempts }, (_, index) => ({
              value: String(index),
              label: t('logs.attemptNumber', { number: index + 1 }),
            })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            props.onAttempt(value === '' ? undefined : Number(value))
          }
        />
      )}
      <span className={styles.count}>{t('logs.lines', { count: props.lineCount })}</span>
      <NativeSelect
        size="xs"
        aria-label={t('logs.minLevel')}
        value={props.level}
        data={[...logLevels]}
        onChange={(event) => props.onLevel(event.currentTarget.value as LogLevel)} // The options are the levels.
      />
      {fold && (
        <Hint label={foldName}>
          <ActionIcon aria-label={foldName} aria-pressed={!fold.areAllOpen} onClick={fold.onToggleAll}>
            <IconFold size={16} />
          </ActionIcon>
        </Hint>
      )}
      <Hint label={t(copied ? 'logs.copied' : 'logs.copy')}>
        <ActionIcon
          aria-label={t('logs.copy')}
          disabled={props.lineCount === 0}
          onClick={() => void copy(props.text())}
        >
          {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </ActionIcon>
      </Hint>
      <Hint label={t('logs.download')}>
        <ActionIcon
          component="a"
          aria-label={t('logs.download')}
          href={props.downloadUrl}
          download
          onClick={checkedDownload}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Hint>
    </div>
  );
}
