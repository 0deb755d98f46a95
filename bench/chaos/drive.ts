import { setTimeout as wait } from 'node:timers/promises';
import { namespace, startedFlows, webhookKey } from './flows.ts';
import type { Machine } from './machines.ts';
import type { Random } from './random.ts';

/** The requests that the servers acknowledged. */
export interface Accepted {
  /** Executions returned by start requests, by the key of the request. */
  readonly started: Map<string, string>;
  readonly hooks: string[];
  /** Webhook calls that failed: they may or may not have created an execution. */
  brokenHooks: number;
  readonly killed: Set<string>;
}

export const nothingAccepted = (): Accepted => ({
  started: new Map(),
  hooks: [],
  brokenHooks: 0,
  killed: new Set(),
});

/** Sends requests until it is stopped: a start is retried under its key until it is acknowledged. */
export async function drive(
  machines: readonly Machine[],
  random: Random,
  accepted: Accepted,
  isOver: () => boolean,
): Promise<void> {
  const lanes = Array.from({ length: 3 }, async (_, lane) => {
    for (let round = 0; !isOver(); round++) {
      const key = `${lane}-${round}`;
      if (random.next() < 0.2) await callHook(machines, random, accepted);
      else await startOne(machines, random, accepted, key);
      const known = [...accepted.started.values()];
      if (known.length > 0 && random.next() < 0.08)
        await killOne(machines, random, random.pick(known), accepted);
      await wait(random.between(20, 250));
    }
  });
  await Promise.all(lanes);
}

async function startOne(machines: readonly Machine[], random: Random, { started }: Accepted, key: string) {
  const flowId = random.pick(startedFlows);
  for (let tries = 0; tries < 200; tries++) {
    const answer = await ask(machines, random, `/executions/${namespace}/${flowId}`, {
      method: 'POST',
      headers: { 'idempotency-key': key },
    });
    if (answer?.ok) {
      started.set(`${flowId}/${key}`, ((await answer.json()) as { id: string }).id);
      return;
    }
    await wait(200);
  }
  throw new Error(`The flow ${flowId} could not be started within 200 tries.`);
}

async function callHook(machines: readonly Machine[], random: Random, accepted: Accepted): Promise<void> {
  const answer = await ask(machines, random, `/executions/webhook/${namespace}/hooked/${webhookKey}`, {
    method: 'POST',
  });
  if (answer?.ok) accepted.hooks.push(((await answer.json()) as { id: string }).id);
  else accepted.brokenHooks++;
}

async function killOne(machines: readonly Machine[], random: Random, id: string, { killed }: Accepted) {
  // The kill may have happened whether it was acknowledged or not.
  killed.add(id);
  await ask(machines, random, `/executions/${id}/kill`, { method: 'DELETE' });
}

/** Undefined when no server responded; broken connections are expected here. */
async function ask(machines: readonly Machine[], random: Random, path: string, init: RequestInit) {
  const urls = machines.flatMap(({ url }) => url ?? []);
  if (urls.length === 0) return undefined;
  try {
    const answer = await fetch(`${random.pick(urls)}/api/v1${path}`, {
      ...init,
      signal: AbortSignal.timeout(10_000),
    });
    if (!answer.ok) await answer.text();
    return answer;
  } catch {
    return undefined;
  }
}

/** Waits until no execution is open. */
export async function settle(
  machines: readonly Machine[],
  random: Random,
  withinMs: number,
): Promise<boolean> {
  const open = ['CREATED', 'RUNNING', 'PAUSED', 'RESTARTED', 'KILLING', 'QUEUED', 'RETRYING'];
  const query = `/executions/search?size=1&${open.map((state) => `state=${state}`).join('&')}`;
  for (const until = Date.now() + withinMs; Date.now() < until; ) {
    const answer = await ask(machines, random, query, {});
    if (answer?.ok && ((await answer.json()) as { total: number }).total === 0) return true;
    await wait(250);
  }
  return false;
}
