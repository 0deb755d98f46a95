import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { StoreChange } from '../port/store.ts';
import { settingsFor } from './connect.ts';

const channel = 'millrace_change';
/** PostgreSQL's limit is 8,000 bytes. */
const maxPayloadBytes = 7_800;
const maxReconnectPauseMs = 5_000;

/**
 * `x`: the sending process; `e`: executions; `l`: executions with new logs; `f`: flows as [namespace, id];
 * `m`: servers with messages; `i`: task runs to stop; `t`: templates as flows; `g`: triggers as [namespace,
 * flow, id]; `c`: the controls of the instance. Another release may leave some out.
 */
interface Payload {
  readonly x: string;
  readonly e?: string[];
  readonly l?: string[];
  readonly f?: [string, string][];
  readonly m?: string[];
  readonly i?: string[];
  readonly t?: [string, string][];
  readonly g?: [string, string, string][];
  readonly c?: true[];
}

type Kind = 'e' | 'l' | 'f' | 'm' | 'i' | 't' | 'g' | 'c';
const noLists = (): Record<Kind, string[]> => ({ e: [], l: [], f: [], m: [], i: [], t: [], g: [], c: [] });

/**
 * Notifies every other process of this one's commits, and receives theirs. A notification is sent right after
 * the commit, not in it, because PostgreSQL serializes commits that notify, disk write included. Changes that
 * arrive while a notification is being sent are batched into the next one.
 */
export class Notifications {
  readonly #url: string;
  readonly #heard: (change: StoreChange) => void;
  readonly #process = randomUUID();
  #client: pg.Client | undefined;
  #pending: StoreChange[] = [];
  #sending: Promise<void> | undefined;
  #closed = false;

  constructor(url: string, heard: (change: StoreChange) => void) {
    this.#url = url;
    this.#heard = heard;
  }

  async open(): Promise<void> {
    const client = new pg.Client(settingsFor(this.#url));
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    client.on('error', () => {});
    client.on('end', () => {
      // The caller of `open` handles a connection that failed before it listened.
      if (this.#client !== client) return;
      this.#client = undefined;
      void this.#reopen();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
  }

  tell(change: StoreChange): void {
    this.#pending.push(change);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#sending;
    await this.#client?.end();
  }

  async #send(): Promise<void> {
    while (this.#pending.length > 0) {
      const payloads = payloadsOf(this.#process, this.#pending);
      this.#pending = [];
      // While the connection is down, notifications are lost; the other processes also reconnect and read
      // everything again.
      await this.#client
        ?.query({
          name: 'millrace_notify',
          text: 'SELECT pg_notify($1, p) FROM unnest($2::text[]) p',
          values: [channel, payloads],
        })
        .catch(() => {});
    }
  }

  #receive(text: string): void {
    // `as`: written by `payloadsOf` in another Millrace process.
    const { x, e = [], l = [], f = [], m = [], i = [], t = [], g = [], c = [] } = JSON.parse(text) as Payload;
    if (x === this.#process) return;
    this.#heard({
      executionIds: e,
      logExecutionIds: l,
      flows: f.map(([namespace, id]) => ({ namespace, id })),
      templates: t.map(([namespace, id]) => ({ namespace, id })),
      isElsewhere: true,
      ...(m.length > 0 ? { messageOwners: m } : {}),
      ...(i.length > 0 ? { interrupted: i } : {}),
      ...(g.length > 0 ? { triggers: g.filter(Array.isArray).map(readTrigger) } : {}),
      ...(c.length > 0 ? { controls: true } : {}),
    });
  }

  async #reopen(): Promise<void> {
    for (
      let pause = 50;
      !this.#closed && this.#client === undefined;
      pause = Math.min(pause * 2, maxReconnectPauseMs)
    ) {
      await delay(pause, undefined, { ref: false });
      try {
        await this.open();
        this.#heard({
          executionIds: [],
          logExecutionIds: [],
          flows: [],
          templates: [],
          isElsewhere: true,
          hasGap: true,
        });
      } catch {
        // `open` leaves no connection behind; the next iteration retries.
      }
    }
  }
}

const readTrigger = ([namespace, flowId, triggerId]: [string, string, string]) => ({
  namespace,
  flowId,
  triggerId,
});

/** Ids only, each once, in as few payloads as fit. */
export function payloadsOf(process: string, changes: readonly StoreChange[]): string[] {
  const entries: [kind: Kind, json: string][] = [];
  const seen = new Set<string>();
  const add = (kind: Kind, value: unknown): void => {
    const json = JSON.stringify(value);
    if (seen.has(kind + json)) return;
    seen.add(kind + json);
    entries.push([kind, json]);
  };
  for (const change of changes) {
    for (const id of change.executionIds) add('e', id);
    for (const id of change.logExecutionIds) add('l', id);
    for (const { namespace, id } of change.flows) add('f', [namespace, id]);
    for (const { namespace, id } of change.templates) add('t', [namespace, id]);
    for (const owner of change.messageOwners ?? []) add('m', owner);
    for (const id of change.interrupted ?? []) add('i', id);
    for (const { namespace, flowId, triggerId } of change.triggers ?? [])
      add('g', [namespace, flowId, triggerId]);
    if (change.controls) add('c', true);
  }
  const payloads: string[] = [];
  let lists = noLists();
  // Room for the names of all lists.
  const frame = Buffer.byteLength(compose(process, lists)) + 48;
  let bytes = frame;
  for (const [kind, json] of entries) {
    const size = Buffer.byteLength(json) + 1;
    if (frame + size > maxPayloadBytes) continue;
    if (bytes + size > maxPayloadBytes) {
      payloads.push(compose(process, lists));
      lists = noLists();
      bytes = frame;
    }
    lists[kind].push(json);
    bytes += size;
  }
  if (bytes > frame) payloads.push(compose(process, lists));
  return payloads;
}

const compose = (process: string, lists: Record<Kind, string[]>): string => {
  const filled = Object.entries(lists).filter(([, items]) => items.length > 0);
  return `{${[`"x":${JSON.stringify(process)}`, ...filled.map(([kind, items]) => `"${kind}":[${items}]`)].join(',')}}`;
};
