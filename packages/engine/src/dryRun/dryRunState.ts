import type { LogLevel, Task, TaskRunRecord } from '@millrace/contract';
import type { Path } from '../flow/path.ts';
import type { Event } from '../run/event.ts';
import type { LiveRun } from '../run/live.ts';
import type { Outside } from './dryHost.ts';
import type { Fixtures } from './fixtures.ts';
import type { RenderContext } from './renderTask.ts';
import type { DryRunOptions, OutputSource, RenderedProperty } from './types.ts';
import type { Wanted } from './wantedOutputs.ts';

/** The state of a dry run, for the parts that run a task or end a child execution. */
export interface DryRunState {
  readonly options: DryRunOptions;
  readonly outside: Outside;
  readonly fixtures: Fixtures;
  readonly live: LiveRun;
  /** What expressions of the flow read from the outputs of each task. */
  readonly wanted: ReadonlyMap<string, Wanted>;
  readonly paths: ReadonlyMap<string, Path>;
  /** Tasks whose outputs were generated, or computed from generated ones. */
  readonly generated: Set<string>;
  readonly sources: Map<string, OutputSource>;
  readonly rendered: Map<string, readonly RenderedProperty[]>;
  post(event: Event, at?: number): void;
  log(level: LogLevel, message: string, run?: TaskRunRecord): void;
  /** Whether the properties of one more run of this task are kept. */
  mayShow(taskId: string): boolean;
  contextOf(taskRunId: string | undefined): RenderContext;
  typeOf(task: Task): string;
}
