import type { ExecutionRecord } from '@millrace/contract';
import type { RunEnvironment } from '@millrace/engine';
import type { FlowEventRecord, Store } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import type { InputParts } from '../actions/readInputs.ts';
import type { Activity } from '../activity.ts';
import type { Ownership } from '../cluster/ownership.ts';
import type { InternalStorage } from '../files/internalStorage.ts';
import type { LogBuffer } from '../logs/logBuffer.ts';
import type { Counts } from '../management/counts.ts';
import type { ProcessLog } from '../processLog.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { RemoteWork } from '../worker/remote/remoteWork.ts';
import type { SharedFolders } from '../worker/sharedFolders.ts';
import type { Worker } from '../worker/worker.ts';
import type { Admission } from './admission.ts';
import type { Watchers } from './watchers.ts';

/** The services that the executor uses. */
export interface ExecutorParts extends InputParts {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly environment: RunEnvironment;
  readonly logs: LogBuffer;
  readonly watchers: Watchers;
  readonly counts: Counts;
  readonly admission: Admission;
  readonly files: InternalStorage;
  readonly folders: SharedFolders;
  readonly worker: Worker;
  /** Finds the flow triggers that subscribed to the last `count` state changes of an execution. */
  readonly flowTriggerIndex: {
    eventsOf(execution: ExecutionRecord, count: number): readonly FlowEventRecord[];
  };
  /** Refuses new work during a quiet start. */
  readonly activity: Pick<Activity, 'refuseWhileQuiet'>;
  /** During maintenance, queued and scheduled executions do not start. */
  readonly controls?: { readonly areStartsHeld: boolean };
  /** Assigns executions to servers; absent when this server is the only one. */
  readonly ownership?: Ownership;
  /** Sends work to other processes; absent when everything runs in this one. */
  readonly remoteWork?: RemoteWork;
  /** Absent unless traces are exported. */
  readonly tracing?: Tracing;
  readonly log: ProcessLog;
  readonly clock: () => number;
}
