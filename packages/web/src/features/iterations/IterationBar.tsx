import { ActionIcon, CloseButton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconRepeat } from '@tabler/icons-react';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { StatePill } from '../../ui/index.ts';
import type { Iteration } from './foldRuns.ts';
import styles from './iterations.module.css';
import type { Iterations } from './useIterations.ts';

interface IterationBarProps {
  readonly current: Iterations['current'];
  /** Opens another iteration, or all of them. */
  onOpen(iteration: Iteration | undefined): void;
  /** Shows the list of the loop's iterations. */
  onList(loopRunId: string): void;
}

/** Says which iteration a view shows, and leads to the next one, to the list and back to all of them. */
export function IterationBar({ current, onOpen, onList }: IterationBarProps) {
  const { t } = useTranslation();
  if (!current) return null;
  const { loop, iteration } = current;
  const at = loop.iterations.indexOf(iteration);
  const previous = loop.iterations[at - 1];
  const next = loop.iterations[at + 1];
  const total = loop.iterations.length;
  return (
    <div className={styles.bar} role="status">
      <IconRepeat size={15} stroke={1.7} aria-hidden />
      <button type="button" className={styles.loopName} onClick={() => onList(loop.run.id)}>
        {loop.run.taskId}
      </button>
      <span>{t('iteration.of', { number: formatNumber(iteration.number), total: formatNumber(total) })}</span>
      <code className={styles.value} title={iteration.value}>
        {iteration.value}
      </code>
      <StatePill state={iteration.state} size="sm" />
      <span className={styles.steps}>
        <ActionIcon
          disabled={!previous}
          aria-label={t('iteration.previous')}
          onClick={() => onOpen(previous)}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <ActionIcon disabled={!next} aria-label={t('iteration.next')} onClick={() => onOpen(next)}>
          <IconChevronRight size={16} />
        </ActionIcon>
        <CloseButton size="sm" aria-label={t('iteration.all')} onClick={() => onOpen(undefined)} />
      </span>
    </div>
  );
}
