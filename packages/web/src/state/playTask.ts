import { useEffect } from 'react';
import { observable } from './observable.ts';

/** `task`: only the task itself. `upTo`: earlier tasks without outputs, too. */
export type PlayMode = 'task' | 'upTo';

/** The flow editor in sight: the task that is selected in it, and how its tasks are executed. */
interface PlayTask {
  readonly selectedId: string | undefined;
  play(taskId: string, mode: PlayMode): void;
}

const current = observable<PlayTask | undefined>(undefined);

/** Menus, forms and the palette offer to execute a task while an editor can do so. */
export const usePlayTask = (): PlayTask | undefined => current.use();

/** Called by the editor. `play` stays the same function. */
export function useReportPlayTask(selectedId: string | undefined, play: PlayTask['play'] | undefined): void {
  useEffect(() => {
    current.set(play && { selectedId, play });
  }, [selectedId, play]);
  useEffect(() => () => current.set(undefined), []);
}
