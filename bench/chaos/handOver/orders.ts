import type { CallMade, Crash } from '../sweep/doom.ts';

export const roles = ['api', 'executor', 'worker'] as const;
export type Role = (typeof roles)[number];

/** What a server in a process of its own is told. */
export type Order =
  | {
      readonly order: 'open';
      readonly role: Role;
      readonly data: string;
      readonly databaseUrl: string;
      /** The file that tasks write into who they are. */
      readonly ledger: string;
      /** Whose work a worker takes. */
      readonly group?: string;
      readonly crash?: Crash;
    }
  /** Saves the flows and starts each one that is named, once, however often it is told. */
  | { readonly order: 'drive'; readonly flows: readonly string[]; readonly starts: readonly string[] }
  | { readonly order: 'close' };

/** What it answers. One that was killed says nothing. */
export interface Answer {
  readonly problem?: string;
  /** Executions by the key they were started under. */
  readonly started?: Readonly<Record<string, string>>;
  /** What it has asked for, from its start to its end. */
  readonly calls?: readonly CallMade[];
}
