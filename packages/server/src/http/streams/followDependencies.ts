import { type ExecutionRecord, isTerminal, systemLabelPrefix } from '@millrace/contract';
import { presentState } from '@millrace/engine';
import type { Filter } from '@millrace/store';
import type { FastifyReply } from 'fastify';
import { flowTopology } from '../../actions/flowTopology.ts';
import type { Product } from '../../product.ts';
import { openEventStream } from './eventStream.ts';
import { readWhenThere } from './followExecution.ts';

type Parts = Pick<Product, 'store' | 'flows' | 'clock' | 'log'>;

const correlationKey = `${systemLabelPrefix}correlationId`;
const pageSize = 1_000;
/** The minimum interval between reads of the executions, however often the server's state changes. */
const pollEveryMs = 250;

/**
 * Streams the states of related executions: those with the same correlation id whose flows lead to this one
 * or come from it. Each state change is a `progress` frame, the end of each execution an `end` frame;
 * `end-all` follows when all have ended and none of them can still start another one.
 */
export async function followDependencies(
  executionId: string,
  choice: { readonly destinationOnly: boolean; readonly expandAll: boolean },
  reply: FastifyReply,
  parts: Parts,
): Promise<void> {
  const stream = openEventStream(reply);
  stream.send('start', { executionId });
  const first = await readWhenThere(
    () => parts.store.getExecutionRecord(executionId),
    () => stream.isOpen,
  );
  if (!first) {
    reply.raw.destroy();
    return;
  }
  const group = await findGroup(first, choice, parts);
  const known = new Map<string, string>();
  const sent = new Map<string, number>();
  let last: object = { executionId };
  let [isPolling, isWanted] = [false, false];
  const look = async () => {
    for (const { id, state } of await statesOf(group.filters, parts)) {
      if (known.get(id) === state) continue;
      const found = await parts.store.getExecutionRecord(id);
      if (!found || !group.holds(found)) continue;
      known.set(id, found.state.current);
      const states = statesSince(found, sent.get(id) ?? 0, parts.clock());
      sent.set(id, found.state.histories.length);
      for (last of states) {
        stream.send(last === states.at(-1) && isTerminal(found.state.current) ? 'end' : 'progress', last);
        await stream.whenRead();
      }
    }
    if (known.size === 0 || ![...known.values()].every(isEnd)) return;
    if (await hasMoreToStart(known, parts)) return;
    stream.send('end-all', last);
    stream.end();
  };
  const wake = () => {
    isWanted = true;
    if (isPolling || !stream.isOpen) return;
    [isPolling, isWanted] = [true, false];
    look()
      .catch((error: unknown) => {
        parts.log.error('The dependencies of an execution could not be followed on.', { executionId, error });
        stream.end();
      })
      .finally(() => {
        timer = setTimeout(() => {
          isPolling = false;
          if (isWanted) wake();
        }, pollEveryMs);
      });
  };
  let timer: NodeJS.Timeout | undefined;
  // A flow trigger that does not fire changes no execution, so a timer polls too.
  const clock = setInterval(wake, 4 * pollEveryMs);
  const stopListening = parts.store.onChange(({ executionIds, hasGap }) => {
    if (hasGap || executionIds.length > 0) wake();
  });
  stream.onClose(() => {
    clearTimeout(timer);
    clearInterval(clock);
    stopListening();
  });
  wake();
}

const isEnd = (state: string): boolean => isTerminal(state as Parameters<typeof isTerminal>[0]); // From the store.

async function findGroup(
  execution: ExecutionRecord,
  choice: { readonly destinationOnly: boolean; readonly expandAll: boolean },
  parts: Parts,
) {
  const { namespace, flowId } = execution;
  const correlation = execution.labels.find(({ key }) => key === correlationKey)?.value ?? execution.id;
  const isThere = (await parts.flows.find(namespace, flowId))?.record.deleted === false;
  const { nodes } = isThere
    ? await flowTopology({ namespace, id: flowId }, choice, parts)
    : { nodes: [{ namespace, id: flowId }] };
  const flows = new Set(nodes.map((node) => JSON.stringify([node.namespace, node.id])));
  const filters: Filter[] = [
    { field: 'labels', operation: 'EQUALS', value: { [correlationKey]: correlation } },
  ];
  return {
    filters,
    holds: ({ namespace, flowId }: ExecutionRecord) => flows.has(JSON.stringify([namespace, flowId])),
  };
}

async function statesOf(filters: readonly Filter[], { store }: Parts) {
  const found: { id: string; state: string }[] = [];
  for (let after = 0; ; ) {
    const page = await store.matchStates(filters, after, pageSize);
    found.push(...page);
    after = page.at(-1)?.seq ?? after;
    if (page.length < pageSize) return found;
  }
}

/** State changes that flow triggers have not looked at yet can still become executions. */
async function hasMoreToStart(known: ReadonlyMap<string, string>, { store }: Parts): Promise<boolean> {
  const open = await store.openFlowEvents(Number.MAX_SAFE_INTEGER, pageSize);
  return open.some(({ executionId }) => known.has(executionId));
}

/** The execution after each state that it entered since `count` states were known. */
function statesSince(execution: ExecutionRecord, count: number, now: number) {
  const { histories } = execution.state;
  return histories.slice(count).map(({ state: current, date }, index) => ({
    executionId: execution.id,
    tenantId: execution.tenantId,
    namespace: execution.namespace,
    flowId: execution.flowId,
    state: presentState(
      { current, histories: histories.slice(0, count + index + 1) },
      count + index + 1 === histories.length ? now : date,
    ),
  }));
}
