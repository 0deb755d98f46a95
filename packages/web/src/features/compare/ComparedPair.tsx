import { Switch } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { type ComparedRuns, compareExecutions } from '@millrace/engine';
import { useMemo } from 'react';
import { useFollowedExecution } from '../../api/follow.ts';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState, Loading, SearchInput, SplitPane } from '../../ui/index.ts';
import { ComparedDetail } from './ComparedDetail.tsx';
import { ComparedRunList } from './ComparedRunList.tsx';
import styles from './ComparePage.module.css';
import { Divergences } from './Divergences.tsx';
import type { CompareSearch } from './search.ts';

interface ComparedPairProps {
  leftId: string;
  rightId: string;
  search: CompareSearch;
  keep: (part: Partial<CompareSearch>) => void;
}

/** Both executions, kept up to date while they run. */
export function ComparedPair({ leftId, rightId, ...props }: ComparedPairProps) {
  const { t } = useTranslation();
  const left = useFollowedExecution(leftId);
  const right = useFollowedExecution(rightId);
  const error = left.error ?? right.error;
  if (left.data && right.data) return <Comparison left={left.data} right={right.data} {...props} />;
  if (!error) return <Loading />;
  return <EmptyState illustration="closedGate" title={t('compare.failed')} detail={error.message} />;
}

interface ComparisonProps extends Pick<ComparedPairProps, 'search' | 'keep'> {
  left: Execution;
  right: Execution;
}

function Comparison({ left, right, search, keep }: ComparisonProps) {
  const { t } = useTranslation();
  const comparison = useMemo(() => compareExecutions(left, right), [left, right]);
  const { runs, different } = comparison;
  const { q, at } = search;
  const all = search.all === 'true';
  const rows = useMemo(() => chooseRows(runs, { q, all }), [runs, q, all]);
  const selected = useMemo(() => runs.find(({ path }) => path === at), [runs, at]);
  const isCut = left.taskRunTotal !== undefined || right.taskRunTotal !== undefined;
  return (
    <>
      <Divergences
        comparison={comparison}
        onSelect={(path, part) => keep({ at: path, part, q: undefined })}
      />
      <div className={styles.bar}>
        <SearchInput value={q} onChange={(text) => keep({ q: text })} placeholder={t('compare.filter')} />
        <Switch
          label={t('compare.onlyDifferences')}
          checked={!all}
          onChange={(event) => keep({ all: event.currentTarget.checked ? undefined : 'true' })}
        />
        <span className={styles.quiet} role="status">
          {t('compare.count', { different: formatNumber(different), total: formatNumber(runs.length) })}
          {isCut && ` ${t('compare.cut')}`}
        </span>
      </div>
      <div className={styles.panes}>
        <SplitPane
          name="compare"
          defaultPercent={46}
          start={
            <ComparedRunList
              left={left}
              right={right}
              runs={runs}
              rows={rows}
              selected={selected?.path}
              onSelect={(path) => keep({ at: path, part: undefined })}
            />
          }
          end={
            <ComparedDetail
              key={selected?.path ?? ''}
              left={left}
              right={right}
              runs={selected}
              part={search.part}
              all={all}
              onPart={(part) => keep({ part })}
            />
          }
        />
      </div>
    </>
  );
}

interface Wanted {
  readonly q: string | undefined;
  /** Also task runs that are the same on both sides. */
  readonly all: boolean;
}

/** The positions of the task runs to list: those that match, with the control tasks around them. */
export function chooseRows(runs: readonly ComparedRuns[], { q, all }: Wanted): number[] {
  const words = (q ?? '').toLowerCase();
  const chosen = new Set<number>();
  for (const [index, { path, differences }] of runs.entries()) {
    if (!all && differences.length === 0) continue;
    if (words !== '' && !path.toLowerCase().includes(words)) continue;
    for (let at: number | undefined = index; at !== undefined && !chosen.has(at); at = runs[at]?.parent)
      chosen.add(at);
  }
  return [...chosen].sort((a, b) => a - b);
}
