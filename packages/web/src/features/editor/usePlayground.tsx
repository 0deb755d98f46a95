import type { Flow } from '@millrace/contract';
import { type ReactNode, useState } from 'react';
import { type PlayMode, useReportPlayTask } from '../../state/playTask.ts';
import { useStableCallback } from '../../state/useStableCallback.ts';
import { PlaygroundSide } from '../playground/index.ts';
import { EditorPart } from './EditorPart.tsx';

interface PlaygroundOptions {
  readonly source: string;
  readonly flow: Flow | undefined;
  readonly isSaved: boolean;
  readonly readOnly: boolean | undefined;
  /** The task at the cursor or in the graph. */
  readonly selectedId: string | undefined;
  readonly isShown: boolean;
  onShow(): void;
}

/**
 * Executes tasks of the text in the editor. The first request shows what would run, the same request again runs it, so
 * nothing runs before the user has seen the plan.
 */
export function usePlayground({
  source,
  flow,
  isSaved,
  readOnly,
  selectedId,
  isShown,
  onShow,
}: PlaygroundOptions) {
  const [wanted, setWanted] = useState<{ readonly taskId: string; readonly mode: PlayMode }>();
  const [presses, setPresses] = useState(0);
  const play = useStableCallback((taskId: string, mode: PlayMode) => {
    const isSame = isShown && wanted?.taskId === taskId && wanted.mode === mode;
    setWanted({ taskId, mode });
    if (isSame) setPresses((count) => count + 1);
    else if (!isShown) onShow();
  });
  const playAt = useStableCallback((mode: PlayMode) => {
    const isTask = selectedId !== undefined && flow?.triggers?.every(({ id }) => id !== selectedId) !== false;
    const taskId = isTask ? selectedId : wanted?.taskId;
    if (taskId !== undefined) play(taskId, mode);
    else if (!isShown) onShow();
  });
  useReportPlayTask(selectedId, readOnly ? undefined : play);
  const side = (graph: ReactNode) => (
    <EditorPart key="playground">
      <PlaygroundSide
        source={source}
        flow={flow?.id && flow.namespace ? { namespace: flow.namespace, id: flow.id } : undefined}
        inputs={flow?.inputs ?? []}
        isSaved={isSaved}
        wanted={wanted}
        presses={presses}
        graph={graph}
        onMode={(mode) => wanted && setWanted({ ...wanted, mode })}
      />
    </EditorPart>
  );
  return { side, playAt: readOnly ? undefined : playAt };
}
