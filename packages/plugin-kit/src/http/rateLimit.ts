import { setTimeout as delay } from 'node:timers/promises';
import type { OutboundResponse } from '../context.ts';
import type { TaskContext } from '../definition.ts';

const maxTries = 3;
const longestWaitMs = 60_000;

/**
 * Sends a request and retries when the service throttles it (429), after the delay that the service requests.
 * `name` is the service in the log. The last 429 is returned like any response.
 */
export async function sendWithinLimits<R extends Pick<OutboundResponse, 'status' | 'headers'>>(
  { log, signal }: Pick<TaskContext, 'log' | 'signal'>,
  name: string,
  send: () => Promise<R>,
): Promise<R> {
  for (let tries = 1; ; tries++) {
    const response = await send();
    const waitMs = retryAfterMs(response);
    if (response.status !== 429 || waitMs === undefined || waitMs > longestWaitMs || tries >= maxTries)
      return response;
    await log('WARN', `${name} limits requests; trying again in ${waitMs / 1000} s.`);
    await delay(waitMs, undefined, { signal });
  }
}

/** The delay of the header `Retry-After`: seconds, which some services send with a fraction, or a date. */
export function retryAfterMs({ headers }: Pick<OutboundResponse, 'headers'>): number | undefined {
  const [written] = headers['retry-after'] ?? [];
  if (written === undefined) return undefined;
  const ms = Number.isNaN(Number(written)) ? Date.parse(written) - Date.now() : Number(written) * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms));
}
