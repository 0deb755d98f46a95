import { AppError, type Flow, type GraphNode, type Task } from '@millrace/contract';
import {
  flowGraph,
  type GraphOptions,
  hasExpression,
  type SubflowTarget,
  subflowTarget,
} from '@millrace/engine';
import type { FlowCache } from './flowCache.ts';

/** An execution whose graph is drawn: its task runs, and what expressions in it come to. */
export interface DrawnExecution {
  readonly taskRuns: NonNullable<GraphOptions['taskRuns']>;
  render(text: string, taskRunId: string | undefined): Promise<string>;
}

/** Finds the flows behind the subflow nodes that are to be drawn open, outer ones before the ones inside them. */
export async function expandSubflows(
  flow: Flow,
  uids: readonly string[],
  flows: FlowCache,
  execution?: DrawnExecution,
): Promise<GraphOptions> {
  const expanded = new Map<string, Flow>();
  const options: GraphOptions = { expanded, ...(execution ? { taskRuns: execution.taskRuns } : {}) };
  for (const uid of [...uids].sort((a, b) => a.length - b.length)) {
    const node = flowGraph(flow, options).nodes.find((candidate) => candidate.uid === uid);
    const written = node?.task && (execution ? shownTarget(node.task) : subflowTarget(node.task));
    if (!written) throw new AppError('illegal-argument', `"${uid}" is not a subflow that can be expanded`);
    // What an execution knows is of no use to the tasks of a flow that it calls.
    const isInside = [...expanded.keys()].some((outer) => uid.startsWith(`${outer}.`));
    const target = execution && !isInside ? await renderTarget(written, node, execution) : written;
    if (hasExpression(`${target.namespace}${target.flowId}`)) {
      throw new AppError('illegal-argument', `the flow that "${uid}" calls is only known when it runs`);
    }
    const found = await flows.find(target.namespace, target.flowId, target.revision);
    if (!found || found.record.deleted) {
      throw new AppError(
        'not-found',
        `there is no flow "${target.flowId}" in the namespace "${target.namespace}"`,
      );
    }
    expanded.set(uid, found.flow);
  }
  return options;
}

/**
 * The graph of an execution holds its tasks without their properties, but names the flows that they call. `as`: it is
 * the engine that put it there, so it has this shape.
 */
const shownTarget = (task: Task) => task.subflowId as SubflowTarget | undefined;

async function renderTarget(
  target: SubflowTarget,
  { taskRun }: GraphNode,
  { render }: DrawnExecution,
): Promise<SubflowTarget> {
  const rendered = async (text: string) => (hasExpression(text) ? render(text, taskRun?.id) : text);
  return {
    ...target,
    namespace: await rendered(target.namespace),
    flowId: await rendered(target.flowId),
  };
}
