import type { Label, StateType, Task, TaskRunRecord } from '@millrace/contract';
import type { Plan } from './plan.ts';

export type Values = Readonly<Record<string, unknown>>;

/** The context of a control task's run. */
export interface ControlContext {
  readonly task: Task;
  readonly taskRun: TaskRunRecord;
  readonly now: number;
  /** The maximum number of iterations of a loop. */
  readonly maxIterations: number;
  /**
   * The rendered text of a property. The value is stored under `key`, so that a later step or a restart makes
   * the same decision. Interrupts the step when the host must resolve the value first.
   */
  text(key: string, template: string): string;
  /** The same for a whole structure, whose single expressions keep their type. */
  value(key: string, template: unknown): unknown;
  /** Evaluated again for each new key; for conditions that change. */
  isTrue(key: string, template: string): boolean;
  /** The same context with `taskrun.iteration` and `taskrun.items` of one batch. */
  forItem(iteration: number, uri: string): ControlContext;
  /** The tasks of the template that a Template task names. */
  template(): { readonly tasks: readonly Task[] };
}

/** Runs children: a list, a choice, a loop. */
export interface Container {
  readonly kind: 'container';
  plan(context: ControlContext): Plan;
  /** Set when the run starts and again when it ends. */
  outputs?(context: ControlContext): Values | undefined;
  /** A reason why the run cannot succeed although it has nothing to do (a Switch without a match). */
  dead?(context: ControlContext): string | undefined;
  /** Turns the state derived from the children into the run's own. */
  result?(state: StateType): StateType;
  /** Decides whether the loop repeats, when all children ended without a failure. */
  repeat?(context: ControlContext, count: number): Repeat;
  /** The children share a folder on one worker, opened before and closed after them. */
  readonly sharesDirectory?: boolean;
}

export type Repeat =
  | { readonly again: false; readonly state?: StateType; readonly count?: number; readonly log?: string }
  | { readonly again: true; readonly at: number };

/** Waits for a person or a date. */
export interface Waiting {
  readonly kind: 'waiting';
  /** When the pause ends without a user action. */
  wakeAt(context: ControlContext): number | undefined;
  /** The effect of that date: resume, or end in a state. */
  elapsed(context: ControlContext): 'RESUME' | StateType;
  plan(task: Task): Plan;
}

/** Starts other executions and may wait for them. */
export interface Calling {
  readonly kind: 'calling';
  requests(context: ControlContext): readonly ChildRequest[];
  waits(context: ControlContext): boolean;
  transmits(context: ControlContext): boolean;
  /** After a restart, failed children are restarted instead of created again. */
  restarts(context: ControlContext): boolean;
  outputs(context: ControlContext, children: readonly Child[]): Values;
}

export interface Child {
  readonly executionId?: string;
  readonly state: StateType;
  readonly outputs?: Values;
  /** The URI of the outputs of all children when they are stored in files. */
  readonly outputsBaseUri?: string;
}

/** The engine itself runs it, in one step. */
export interface Acting {
  readonly kind: 'acting';
  act(context: ControlContext): Act;
}

export type Act =
  | { readonly act: 'exit'; readonly state: StateType }
  | { readonly act: 'label'; readonly labels: readonly Label[] }
  | { readonly act: 'setVariables'; readonly variables: Values; readonly overwrite: boolean }
  | { readonly act: 'unsetVariables'; readonly names: readonly string[]; readonly ignoreMissing: boolean };

export type Control = Container | Waiting | Calling | Acting;

/** A child execution as the properties of the calling task describe it. */
export interface ChildRequest {
  readonly namespace: string;
  readonly flowId: string;
  readonly revision?: number;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly labels: readonly Label[];
  readonly inheritLabels: boolean;
  readonly scheduledAt?: number;
  /** The unrendered outputs that the caller requests; for flows that declare no outputs. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** The outputs of the child go into a file of the calling task run instead of its row. */
  readonly storesOutputs?: true;
}
