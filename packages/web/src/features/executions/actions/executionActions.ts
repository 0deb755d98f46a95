import { type Execution, isTerminal, type StateType, terminalStates } from '@millrace/contract';
import {
  IconArrowRightToArc,
  IconExchange,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconPlayerStop,
  IconReload,
  IconRotateClockwise,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { executionQuery, unpackExecution } from '../../../api/follow.ts';
import { showSuccess } from '../../../shell/toasts.ts';

const open = ['CREATED', 'QUEUED', 'RESTARTED', 'RUNNING', 'PAUSED', 'RETRYING'] as const;

/** What can be done to an execution, in the order of the menu, and the states in which the server accepts it. */
const allowedStates = {
  resume: ['PAUSED'],
  pause: ['RUNNING'],
  restart: ['FAILED'],
  replay: terminalStates,
  unqueue: ['QUEUED'],
  forceRun: open,
  changeStatus: terminalStates,
  setLabels: terminalStates,
  kill: [...open, 'KILLING'],
  delete: [...open, 'KILLING', ...terminalStates],
} as const satisfies Record<string, readonly StateType[]>;

export type ExecutionAction = keyof typeof allowedStates;

// `as`: the keys of an object literal are exactly those of its type.
const actions = Object.keys(allowedStates) as ExecutionAction[];

export const statesAllowing = (action: ExecutionAction): readonly StateType[] => allowedStates[action];

export const allows = (state: StateType, action: ExecutionAction): boolean =>
  (allowedStates[action] as readonly StateType[]).includes(state);

export const actionsIn = (state: StateType): ExecutionAction[] =>
  actions.filter((action) => allows(state, action));

/** What a person most likely wants to do next in a state; shown beside the menu. */
export const prominentActionsIn = (state: StateType): ExecutionAction[] =>
  (['restart', 'resume', 'kill'] as const).filter((action) => allows(state, action));

/** The action that takes the place of *Execute* as the page's primary one: a paused execution waits for it. */
export const primaryActionIn = (state: StateType): ExecutionAction | undefined =>
  allows(state, 'resume') ? 'resume' : undefined;

/** The ends that a person may give an execution that has ended. */
export const endStates = ['SUCCESS', 'WARNING', 'FAILED', 'CANCELLED'] as const;

export const statusesAfter = (current: StateType): StateType[] =>
  endStates.filter((state) => state !== current);

export const markStates = ['SUCCESS', 'WARNING', 'FAILED', 'RUNNING'] as const;
export type MarkState = (typeof markStates)[number];

/** The states that a task run may be changed to: a pause resumes or fails, any other gets another end state. */
export const marksAfter = (current: StateType): MarkState[] =>
  markStates.filter((state) =>
    current === 'PAUSED'
      ? state === 'RUNNING' || state === 'FAILED'
      : state !== 'RUNNING' && state !== current,
  );

export const actionIcons: Record<ExecutionAction, typeof IconTrash> = {
  resume: IconPlayerPlay,
  pause: IconPlayerPause,
  restart: IconRotateClockwise,
  replay: IconReload,
  unqueue: IconArrowRightToArc,
  forceRun: IconPlayerSkipForward,
  changeStatus: IconExchange,
  setLabels: IconTag,
  kill: IconPlayerStop,
  delete: IconTrash,
};

export const isLive = (execution: Execution): boolean => !isTerminal(execution.state.current);

interface Act {
  execution: Execution;
  /** What the user reads once it is done. */
  done: string;
  onDone: () => void;
}

/** Does something to one execution: what it changed is shown at once, what it made is opened. */
export function useExecutionMutation({ execution, done, onDone }: Act) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    // Some calls answer with the execution, others with nothing.
    mutationFn: (act: () => Promise<Execution | undefined>) => act(),
    onSuccess: async (changed) => {
      if (changed) client.setQueryData(executionQuery(changed.id).queryKey, unpackExecution(changed));
      else void client.invalidateQueries({ queryKey: executionQuery(execution.id).queryKey });
      void client.invalidateQueries({ queryKey: ['executions'] });
      showSuccess(done);
      onDone();
      if (!changed || changed.id === execution.id) return;
      const { namespace, flowId, id } = changed;
      await navigate({
        to: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}',
        params: { namespace, flowId, id, tab: 'gantt' },
        search: {},
      });
    },
  });
}
