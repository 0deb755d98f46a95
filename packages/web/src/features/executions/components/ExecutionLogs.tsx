import { Pill, Select } from '@mantine/core';
import { logLevels, logs } from '@millrace/contract';
import { IconDownload } from '@tabler/icons-react';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../../api/call.ts';
import styles from './ExecutionTab.module.css';
import type { ExecutionTabProps } from './ExecutionTab.tsx';

const LogView = lazy(() => import('../../logs/index.ts').then((module) => ({ default: module.LogView })));

export function ExecutionLogs({
  execution,
  isLive,
  selectedId,
  onSelect,
  level,
  onLevel,
}: ExecutionTabProps) {
  const { t } = useTranslation();
  const selected = execution.taskRunList?.find((run) => run.id === selectedId);
  const download = urlOf(logs.downloadLogs, {
    params: { executionId: execution.id },
    query: { minLevel: level, taskRunId: selected?.id },
  });
  return (
    <div className={styles.stack}>
      <div className={styles.tools}>
        <Select
          w={150}
          data={logLevels.map((value) => ({ value, label: t('log.atLeast', { level: value }) }))}
          value={level ?? 'TRACE'}
          onChange={(value) => onLevel(logLevels.find((one) => one === value && one !== 'TRACE'))}
          allowDeselect={false}
          aria-label={t('log.level')}
        />
        {selected && (
          <Pill size="md" withRemoveButton onRemove={() => onSelect(undefined)}>
            {selected.taskId}
            {selected.value && ` · ${selected.value}`}
          </Pill>
        )}
        <a className={styles.download} href={download} download>
          <IconDownload size={15} stroke={1.7} aria-hidden="true" />
          {t('log.download')}
        </a>
      </div>
      <div className={styles.card}>
        <LogView
          executionId={execution.id}
          live={isLive}
          {...(selected && { taskRunId: selected.id })}
          {...(level && { minLevel: level })}
        />
      </div>
    </div>
  );
}
