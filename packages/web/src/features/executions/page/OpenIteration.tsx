import { IterationBar, type Iterations } from '../../iterations/index.ts';
import type { ExecutionTabProps } from './tabParts.ts';

interface OpenIterationProps extends Pick<ExecutionTabProps, 'selectedId' | 'keep'> {
  iterations: Iterations;
}

/** The iteration that a tab shows, above its view. */
export function OpenIteration({ iterations: { current, folded }, selectedId, keep }: OpenIterationProps) {
  const selected = folded.byId.get(selectedId ?? '');
  return (
    <IterationBar
      current={current}
      onOpen={(iteration) => {
        // The same task in the other iteration, so that stepping through a loop compares its logs.
        const same = iteration?.runs.find(({ taskId }) => taskId === selected?.taskId);
        const isLoop = selected !== undefined && folded.loops.has(selected.id);
        keep({ iteration: iteration?.id, taskRunId: isLoop ? selected.id : same?.id, attempt: undefined });
      }}
      onList={(taskRunId) => keep({ taskRunId, attempt: undefined })}
    />
  );
}
