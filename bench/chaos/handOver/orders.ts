import type { CallMade, Crash } from '../sweep/crashPoint.ts';

export const roles = ['api', 'executor', 'worker'] as const;
export type Role = (typeof roles)[number];

/** A command to a server in a separate process. */
export type Order =
  | {
      readonly order: 'open';
      readonly role: Role;
      readonly data: string;
      readonly databaseUrl: string;
      /** The file that every task run writes its id into. */
      readonly ledger: string;
      /** The worker group of a worker. */
      readonly group?: string;
      readonly crash?: Crash;
    }
  /** Saves the flows and starts each named one. Idempotent: a repeated command starts nothing twice. */
  | { readonly order: 'drive'; readonly flows: readonly string[]; readonly starts: readonly string[] }
  | { readonly order: 'close' };

/** The response of the server. A killed server sends none. */
export interface Answer {
  readonly problem?: string;
  /** Executions by the key of their start request. */
  readonly started?: Readonly<Record<string, string>>;
  /** All store and file calls of the server, from start to shutdown. */
  readonly calls?: readonly CallMade[];
}
