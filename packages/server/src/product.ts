import type { RunEnvironment } from '@millrace/engine';
import type { OutboundClient, PluginCatalogue } from '@millrace/plugin-kit';
import type { Store } from '@millrace/store';
import type { FlowCache } from './actions/flowCache.ts';
import type { Activity } from './activity.ts';
import type { Auth } from './auth/auth.ts';
import type { Membership } from './cluster/membership.ts';
import type { Role } from './cluster/role.ts';
import type { Config } from './config/schema.ts';
import type { Content } from './content/readContent.ts';
import type { CreateHost } from './expressionHost.ts';
import type { InternalStorage } from './files/internalStorage.ts';
import type { NamespaceFiles } from './files/namespaceFiles.ts';
import type { KeyValues } from './kv/keyValues.ts';
import type { Admission } from './loops/admission.ts';
import type { Counts } from './loops/counts.ts';
import type { Executor } from './loops/executor.ts';
import type { Janitor } from './loops/janitor.ts';
import type { LogBuffer } from './loops/logBuffer.ts';
import type { Watchers } from './loops/watchers.ts';
import type { Worker } from './loops/worker.ts';
import type { TypeConfigurations } from './plugins/configurations.ts';
import type { ProcessLog } from './processLog.ts';
import type { Encryption } from './secrets/encryption.ts';
import type { Secrets } from './secrets/environmentSecrets.ts';
import type { Templates } from './templates/templates.ts';
import type { Tracing } from './tracing/tracing.ts';
import type { FlowTriggers } from './triggers/flowTriggers.ts';
import type { Scheduler } from './triggers/scheduler.ts';

/** The parts of a running server, as actions and routes are given them. */
export interface Product {
  readonly config: Config;
  readonly version: string;
  /** Stable as long as the data folder or database lives. */
  readonly instanceId: string;
  /** Whether this server runs anything yet. */
  readonly activity: Activity;
  readonly auth: Auth;
  /** What this process does. */
  readonly roles: ReadonlySet<Role>;
  /** This server among those that share its database; absent where it is alone. */
  readonly membership?: Membership;
  readonly store: Store;
  readonly catalogue: PluginCatalogue;
  readonly flows: FlowCache;
  readonly executor: Executor;
  readonly admission: Admission;
  readonly worker: Worker;
  readonly scheduler: Scheduler;
  readonly flowTriggers: FlowTriggers;
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
  /** Where what is under way lives on this machine; emptied at every start. */
  readonly workFolder: string;
  readonly secrets: Secrets;
  readonly encryption: Encryption | undefined;
  readonly environment: RunEnvironment;
  /** What expressions reach when they are rendered outside of a task. */
  readonly host: CreateHost;
  /** HTTP under the policy of the configuration. */
  readonly outbound: OutboundClient;
  /** What the configuration says about single types. */
  readonly configurations: TypeConfigurations;
  /** News, documentation and blueprints. */
  readonly content: Content;
  readonly log: ProcessLog;
  readonly clock: () => number;
  readonly newId: () => string;
}
