import type { TestServer } from '../aServer.ts';
import type { Part } from '../multipart.ts';
import type { Services } from './services.ts';

/** The execution of a blueprint, after it ended. */
export interface Ended {
  readonly id: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** The outputs of a task; of its first task run, when it has several. */
  output(taskId: string): Readonly<Record<string, unknown>>;
  /** The content of a file in the internal storage. */
  file(uri: unknown): Promise<Buffer>;
  /** The messages of its log. */
  readonly messages: readonly string[];
}

export interface Running {
  readonly server: TestServer;
  readonly services: Services;
  /** The flow as it was saved. */
  readonly namespace: string;
  readonly flowId: string;
}

/** How a blueprint runs in the test. */
export interface Case {
  /** Why the blueprint cannot run on this machine. */
  readonly missing?: string | undefined;
  /** Replaces text of the blueprint, such as the address of a server by the one of the test. */
  readonly edits?: (services: Services) => Promise<readonly (readonly [from: string | RegExp, to: string])[]>;
  /** Prepares tables, files and web services, before the flow is saved. */
  readonly before?: (running: Running) => Promise<void> | void;
  /** Text inputs as a value, files as a part. Inputs with a default are left to it. */
  readonly inputs?: Readonly<Record<string, string | Omit<Part, 'name'>>>;
  /** Causes the execution through the trigger of the flow, instead of starting it. */
  readonly cause?: (running: Running) => Promise<void> | void;
  /** Causes again until there is an execution, for a trigger that misses events before it listens. */
  readonly repeats?: true;
  /** Continues an execution that pauses. */
  readonly resume?: Readonly<Record<string, string>>;
  /** The state in which the blueprint means to end; SUCCESS unless given. */
  readonly state?: string;
  readonly check?: (ended: Ended, running: Running) => Promise<void> | void;
}

export type Cases = Readonly<Record<string, Case>>;
