import type { RunEnvironment } from '@millrace/engine';
import type { Store } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import type { Activity } from '../activity.ts';
import type { Sharing } from '../cluster/sharing.ts';
import type { ProcessLog } from '../processLog.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { StateChanges } from '../triggers/flowTriggers.ts';
import type { RemoteWork } from '../workers/remoteWork.ts';
import type { Admission } from './admission.ts';
import type { Counts } from './counts.ts';
import type { LogBuffer } from './logBuffer.ts';
import type { Watchers } from './watchers.ts';

/** What the executor is made with. */
export interface ExecutorParts {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly environment: RunEnvironment;
  readonly logs: LogBuffer;
  readonly watchers: Watchers;
  readonly counts: Counts;
  readonly admission: Admission;
  /** Who wants to hear of executions that change their state. */
  readonly stateChanges: StateChanges;
  /** Whether executions may start or change yet. */
  readonly activity: Pick<Activity, 'refuseWhileQuiet'>;
  /** How executions are shared with other servers; absent where there are none. */
  readonly sharing?: Sharing;
  /** Work for other processes; absent where everything runs here. */
  readonly remoteWork?: RemoteWork;
  /** Absent unless traces are sent somewhere. */
  readonly tracing?: Tracing;
  readonly log: ProcessLog;
  readonly clock: () => number;
}
