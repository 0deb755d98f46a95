import { Suspense, useMemo } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, SearchInput } from '../../../ui/index.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { hasOutputs, IterationList, outputRows, useIterations } from '../../iterations/index.ts';
import styles from './ExecutionOutputs.module.css';
import type { ExecutionTabProps } from './executionTabProps.ts';
import { OpenIteration } from './OpenIteration.tsx';
import { OutputRuns } from './OutputRuns.tsx';
import { ValueTree } from './ValueTree.tsx';

const ExpressionBox = lazyPart(() => import('../outputs/ExpressionBox.tsx'), 'ExpressionBox');
const OutputSearch = lazyPart(() => import('../outputs/OutputSearch.tsx'), 'OutputSearch');
const UnlistedOutputs = lazyPart(() => import('../outputs/UnlistedOutputs.tsx'), 'UnlistedOutputs');

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
