import type { Task } from '@millrace/contract';
import type { ChildRequest } from '../control/control.ts';
import type { EngineLog, Wake } from './event.ts';

/** Work that the shell must do after it has stored a step. */
export type Effect =
  /** Send the attempt to a worker, which reports `taskStarted` and `taskEnded`. */
  | {
      readonly effect: 'run';
      readonly taskRunId: string;
      readonly attempt: number;
      readonly task: Task;
      readonly sideEffects: boolean;
      /** The name of the folder that this task run shares with its siblings. */
      readonly directoryOf?: string;
      /** The process that owns the folder, when it is another one. */
      readonly holder?: string;
    }
  /** Evaluate the expression with the host and report `resolved`. */
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
  /** Open the folder that the children share, or close it and collect its files. Report `directory`. */
  | {
      readonly effect: 'openDirectory' | 'closeDirectory';
      readonly taskRunId: string;
      readonly directory: string;
      readonly task: Task;
      /** The process that owns the open folder, when it is another one. */
      readonly holder?: string;
    }
  | { readonly effect: 'wake'; readonly wake: Wake }
  /** Tell the workers to interrupt these task runs. */
  | { readonly effect: 'interrupt'; readonly taskRunIds: readonly string[] }
  /** Create a child execution and report `childCreated` or `childRefused`. */
  | {
      readonly effect: 'createChild';
      readonly taskRunId: string;
      /** Identifies the child together with the task run and the index, so creating it is idempotent. */
      readonly attempt: number;
      readonly request: ChildRequest;
      readonly index: number;
      readonly restart: boolean;
    }
  /** The execution state changed: flow triggers evaluate it. */
  | { readonly effect: 'stateChanged' }
  /** Evaluate which listeners run (`LiveRun.chooseListeners`) and report `listenersChosen`. */
  | { readonly effect: 'chooseListeners' }
  /** The execution finished, afterExecution included: notify the parent, the queue and `wait` callers. */
  | { readonly effect: 'completed' }
  | ({ readonly effect: 'log' } & EngineLog)
  /** A retry by a new execution: replay this one from the beginning. */
  | { readonly effect: 'replay' }
  | { readonly effect: 'killChildren' };
