import { outputs } from '@millrace/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Suspense, useEffect, useMemo, useRef } from 'react';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import {
  BrokenPart,
  CopiedIcon,
  EditedIcon,
  EmptyState,
  Loading,
  SearchInput,
  StatePill,
} from '../../../ui/index.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import {
  type FoldedRuns,
  hasOutputs,
  IterationList,
  type OutputRow,
  outputRows,
  StateCountChips,
  useIterations,
} from '../../iterations/index.ts';
import { OpenIteration } from '../page/OpenIteration.tsx';
import type { ExecutionTabProps } from '../page/tabParts.ts';
import { ValueTree } from '../page/ValueTree.tsx';
import styles from './ExecutionOutputs.module.css';

const ExpressionBox = lazyPart(() => import('./ExpressionBox.tsx'), 'ExpressionBox');

/** The outputs of each task run: task runs on the left, the values of the selected one on the right. */
export function ExecutionOutputs({ execution, selectedId, onSelect, search, keep }: ExecutionTabProps) {
  const { t } = useTranslation();
  const iterations = useIterations(execution, search.iteration);
  const { folded, open } = iterations;
  const rows = useMemo(() => outputRows(iterations, selectedId), [iterations, selectedId]);
  const selected = (
    rows.find(({ run }) => run.id === selectedId) ??
    rows.find(({ run, isFolded }) => isFolded || hasOutputs(run)) ??
    rows[0]
  )?.run;
  if (!selected)
    return (
      <>
        <Suspense>
          <ExpressionBox execution={execution} run={undefined} />
        </Suspense>
        <EmptyState illustration="stillWater" title={t('output.none')} text={t('output.noneText')} />
      </>
    );
  // The search also finds task runs that are not among those that the page holds.
  const isUnlisted =
    execution.taskRunTotal !== undefined && selectedId !== undefined && !folded.byId.has(selectedId);
  const loop = folded.loops.get(selected.id);
  return (
    <>
      <OpenIteration iterations={iterations} selectedId={selectedId} keep={keep} />
      <div className={styles.outputs}>
        <div className={styles.chooser}>
          <SearchInput
            value={search.find}
            onChange={(find) => keep({ find })}
            placeholder={t('outputSearch.placeholder')}
          />
          {search.find !== undefined ? (
            <Suspense>
              <OutputSearch
                executionId={execution.id}
                q={search.find}
                selectedId={isUnlisted ? selectedId : selected.id}
                onSelect={onSelect}
              />
            </Suspense>
          ) : (
            <OutputRuns rows={rows} loops={folded.loops} selectedId={selected.id} onSelect={onSelect} />
          )}
        </div>
        {isUnlisted ? (
          <section className={styles.values} aria-label={selectedId}>
            <Suspense>
              <ExpressionBox execution={execution} run={{ id: selectedId, taskId: selectedId }} />
              <UnlistedOutputs executionId={execution.id} taskRunId={selectedId} />
            </Suspense>
          </section>
        ) : (
          <section
            className={styles.values}
            data-list={loop !== undefined || undefined}
            aria-label={selected.taskId}
          >
            <Suspense>
              <ExpressionBox execution={execution} run={selected} />
            </Suspense>
            {loop && (
              <IterationList
                key={selected.id}
                loop={loop}
                openValue={open.get(selected.id)}
                filter={{ state: search.iterationState, text: search.iterationText }}
                onFilter={({ state, text }) => keep({ iterationState: state, iterationText: text })}
                onOpen={(iteration) => keep({ iteration })}
              />
            )}
            {hasOutputs(selected) ? (
              <ValueTree values={selected.outputs ?? {}} executionId={execution.id} />
            ) : (
              !loop && <p className={styles.nothing}>{t('output.nothing', { id: selected.taskId })}</p>
            )}
          </section>
        )}
      </div>
    </>
  );
}

const ROW_PX = 34;

interface OutputRunsProps {
  readonly rows: readonly OutputRow[];
  readonly loops: FoldedRuns['loops'];
  readonly selectedId: string;
  onSelect(taskRunId: string): void;
}

/** The task runs whose outputs can be read. Only those in sight exist. */
function OutputRuns({ rows, loops, selectedId, onSelect }: OutputRunsProps) {
  const scroller = useRef<HTMLUListElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    paddingStart: 6,
    paddingEnd: 6,
    overscan: 12,
    initialRect: { width: 300, height: 480 },
  });
  const selectedIndex = rows.findIndex(({ run }) => run.id === selectedId);
  useEffect(() => {
    if (selectedIndex >= 0) virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [selectedIndex, virtualizer]);
  return (
    <ul className={styles.runs} ref={scroller}>
      <li aria-hidden style={{ height: virtualizer.getTotalSize() }} />
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const row = rows[index];
        if (!row) return null;
        const { run, indent, isFolded } = row;
        return (
          <li key={run.id} className={styles.placed} style={{ transform: `translateY(${start}px)` }}>
            <button
              type="button"
              className={styles.run}
              style={{ paddingLeft: 8 + Math.min(indent, 6) * 14 }}
              aria-pressed={run.id === selectedId}
              onClick={() => onSelect(run.id)}
            >
              <span className={styles.name}>
                {run.taskId}
                {run.value && <span className={styles.value}> {run.value}</span>}
              </span>
              {run.copied && <CopiedIcon />}
              {run.edited && <EditedIcon />}
              {isFolded ? (
                <StateCountChips counts={loops.get(run.id)?.counts ?? []} />
              ) : (
                <StatePill state={run.state.current} size="sm" />
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

interface UnlistedOutputsProps {
  executionId: string;
  taskRunId: string;
}

/** The outputs of a task run that is not among those that the page holds. */
function UnlistedOutputs({ executionId, taskRunId }: UnlistedOutputsProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['outputs', currentTenant(), executionId, taskRunId],
    queryFn: ({ signal }) =>
      call(outputs.getTaskRunOutputs, { params: { executionId, taskRunId }, signal, failures: 'handled' }),
  });
  if (error) return <BrokenPart error={error} onRetry={() => void refetch()} />;
  return data ? <ValueTree values={data} executionId={executionId} /> : <Loading />;
}

const foundQuery = (executionId: string, q: string) =>
  queryOptions({
    queryKey: ['outputs', currentTenant(), executionId, 'search', q],
    queryFn: ({ signal }) =>
      call(outputs.searchOutputs, { params: { executionId }, query: { q }, signal, failures: 'handled' }),
    placeholderData: keepPreviousData,
  });

interface OutputSearchProps {
  executionId: string;
  q: string;
  selectedId: string | undefined;
  onSelect: (taskRunId: string) => void;
}

/** Values of all task runs that contain a text; the server searches, because the page may hold only some of the runs. */
function OutputSearch({ executionId, q, selectedId, onSelect }: OutputSearchProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(foundQuery(executionId, q));
  if (error) return <BrokenPart error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const { results, total } = data;
  return (
    <div className={styles.found}>
      <p className={styles.count} role="status">
        {results.length < total
          ? t('outputSearch.first', { shown: formatNumber(results.length), total: formatNumber(total) })
          : t('outputSearch.count', { total: formatNumber(total) })}
      </p>
      <ul className={styles.list}>
        {results.map(({ taskRunId, taskId, value, path, text }) => (
          <li key={`${taskRunId} ${path}`}>
            <button
              type="button"
              className={styles.hit}
              aria-pressed={taskRunId === selectedId}
              onClick={() => onSelect(taskRunId)}
            >
              <span className={styles.where}>
                {taskId}
                {value !== undefined && <span className={styles.foundValue}> {value}</span>}
                <span className={styles.path}> {path}</span>
              </span>
              <code className={styles.text}>
                <Marked text={text} q={q} />
              </code>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Marked({ text, q }: { text: string; q: string }) {
  const at = text.toLowerCase().indexOf(q.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className={styles.mark}>{text.slice(at, at + q.length)}</mark>
      {text.slice(at + q.length)}
    </>
  );
}
