import type { BlobStore } from '@millrace/contract';
import type { RunEnvironment } from '@millrace/engine';
import type { OutboundClient, PluginCatalogue } from '@millrace/plugin-kit';
import type { Store } from '@millrace/store';
import type { FlowCache } from './actions/flowCache.ts';
import type { Activity } from './activity.ts';
import type { Alerts } from './alerts/alerts.ts';
import type { Auth } from './auth/auth.ts';
import type { Membership } from './cluster/membership.ts';
import type { Role } from './cluster/role.ts';
import type { Config } from './config/schema.ts';
import type { Content } from './content/readContent.ts';
import type { Admission } from './executor/admission.ts';
import type { Executor } from './executor/executor.ts';
import type { Watchers } from './executor/watchers.ts';
import type { CreateHost } from './expressionHost.ts';
import type { InternalStorage } from './files/internalStorage.ts';
import type { NamespaceFiles } from './files/namespaceFiles.ts';
import type { Controls } from './instance/controls.ts';
import type { Sampler } from './instance/sampler.ts';
import type { KeyValues } from './kv/keyValues.ts';
import type { LogBuffer } from './logs/logBuffer.ts';
import type { Janitor } from './maintenance/janitor.ts';
import type { Counts } from './management/counts.ts';
import type { TypeConfigurations } from './plugins/configurations.ts';
import type { ProcessLog } from './processLog.ts';
import type { FlowTriggers } from './scheduler/flowTriggers.ts';
import type { Scheduler } from './scheduler/scheduler.ts';
import type { Encryption } from './secrets/encryption.ts';
import type { Secrets } from './secrets/environmentSecrets.ts';
import type { Templates } from './templates/templates.ts';
import type { Tracing } from './tracing/tracing.ts';
import type { Worker } from './worker/worker.ts';

/** The parts of a running server, as actions and routes are given them. */
export interface Product {
  readonly config: Config;
  readonly version: string;
  /** Stable as long as the data folder or database lives. */
  readonly instanceId: string;
  /** The switches of operators: maintenance, pause, drains, log level. */
  readonly controls: Controls;
  /** Sizes over time, for the forecast of the disk. */
  readonly sampler: Sampler;
  /** Where files are stored. */
  readonly blobs: BlobStore;
  /** All workers of this process. */
  readonly workers: () => readonly Worker[];
  readonly workerKey: string;
  /** Whether this server is active or in a quiet start. */
  readonly activity: Activity;
  readonly auth: Auth;
  /** The roles of this process. */
  readonly roles: ReadonlySet<Role>;
  /** The cluster membership of this server; absent on a single server. */
  readonly membership?: Membership;
  readonly store: Store;
  readonly catalogue: PluginCatalogue;
  readonly flows: FlowCache;
  readonly executor: Executor;
  readonly admission: Admission;
  readonly worker: Worker;
  readonly scheduler: Scheduler;
  readonly flowTriggers: FlowTriggers;
  readonly alerts: Alerts;
  readonly janitor: Janitor;
  readonly watchers: Watchers;
  readonly counts: Counts;
  /** Undefined unless traces are sent somewhere. */
  readonly tracing: Tracing | undefined;
  readonly logs: LogBuffer;
  readonly files: InternalStorage;
  readonly namespaceFiles: NamespaceFiles;
  readonly keyValues: KeyValues;
  readonly templates: Templates;
  /** The local folder for running work; emptied at every start. */
  readonly workFolder: string;
  readonly secrets: Secrets;
  readonly encryption: Encryption | undefined;
  readonly environment: RunEnvironment;
  /** The services for expressions that are rendered outside of a task. */
  readonly host: CreateHost;
  /** HTTP under the policy of the configuration. */
  readonly outbound: OutboundClient;
  /** The configuration of individual plugin types. */
  readonly configurations: TypeConfigurations;
  /** News, documentation and blueprints. */
  readonly content: Content;
  readonly log: ProcessLog;
  readonly clock: () => number;
  readonly newId: () => string;
}
