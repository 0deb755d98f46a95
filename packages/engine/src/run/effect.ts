import type { Task } from '@millrace/contract';
import type { ChildRequest } from '../control/control.ts';
import type { EngineLog, Wake } from './event.ts';

/** What the shell must do because of a step, after the step is on disk. */
export type Effect =
  /** Hand the attempt to a worker. It answers with `taskStarted` and `taskEnded`. */
  | {
      readonly effect: 'run';
      readonly taskRunId: string;
      readonly attempt: number;
      readonly task: Task;
      readonly sideEffects: boolean;
      /** The name of the folder that this one shares with its siblings. */
      readonly directoryOf?: string;
      /** Who has that folder, when it is another process. */
      readonly holder?: string;
    }
  /** Evaluate this with the outside world at hand and answer with `resolved`. */
  | {
      readonly effect: 'resolve';
      /** Absent for the outputs of the flow. */
      readonly taskRunId?: string;
      readonly key: string;
      readonly expression: unknown;
      readonly mode: 'text' | 'typed' | 'deep';
      /** Variables beside those of the task run. */
      readonly extra?: Readonly<Record<string, unknown>>;
    }
  /** Open, or close and collect, the folder that the children of this task run share. Answer with `directory`. */
  | {
      readonly effect: 'openDirectory' | 'closeDirectory';
      readonly taskRunId: string;
      readonly directory: string;
      readonly task: Task;
      /** Who has it, when it is open and that is another process. */
      readonly holder?: string;
    }
  | { readonly effect: 'wake'; readonly wake: Wake }
  /** Tell the workers to interrupt these task runs. */
  | { readonly effect: 'interrupt'; readonly taskRunIds: readonly string[] }
  /** Create a child execution and answer with `childCreated` or `childRefused`. */
  | {
      readonly effect: 'createChild';
      readonly taskRunId: string;
      /** With the task run and the index it names the child for good: asked twice, it is made once. */
      readonly attempt: number;
      readonly request: ChildRequest;
      readonly index: number;
      readonly restart: boolean;
    }
  /** The execution state changed: flow triggers look at it. */
  | { readonly effect: 'stateChanged' }
  /** Find out which listeners want to run (`LiveRun.chooseListeners`) and answer with `listenersChosen`. */
  | { readonly effect: 'chooseListeners' }
  /** Everything is over, listeners and afterExecution included: the parent, the queue and `wait` callers hear of it. */
  | { readonly effect: 'completed' }
  | ({ readonly effect: 'log' } & EngineLog)
  /** A retry by a new execution: replay this one from the beginning. */
  | { readonly effect: 'replay' }
  | { readonly effect: 'killChildren' };
