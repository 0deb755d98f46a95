import { Pill } from '@mantine/core';
import type { TaskRun } from '@millrace/contract';
import { useTranslation } from '../../../i18n/useTranslation.ts';

interface OnlyTaskRunProps {
  run: TaskRun;
  /** What taking the selection back shows again. */
  showAll: string;
  onClear: () => void;
}

/** Says that a tab shows one task run only, and takes the selection back. */
export function TaskRunFilterChip({ run, showAll, onClear }: OnlyTaskRunProps) {
  const { t } = useTranslation();
  const id = run.value ? `${run.taskId} · ${run.value}` : run.taskId;
  return (
    <div>
      <Pill
        size="md"
        withRemoveButton
        onRemove={onClear}
        removeButtonProps={{ 'aria-label': showAll, 'aria-hidden': false, tabIndex: 0 }}
      >
        {t('taskRun.only', { id })}
      </Pill>
    </div>
  );
}
