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
  readonly fold: boolean;
  render(text: string, taskRunId: string | undefined): Promise<string>;
}

/** Finds the flows of the subflow nodes to expand, outer ones before inner ones. */
export async function expandSubflows(
  flow: Flow,
  uids: readonly string[],
  flows: FlowCache,
  execution?: DrawnExecution,
): Promise<GraphOptions> {
  const expanded = new Map<string, Flow>();
  const drawn = execution && { taskRuns: execution.taskRuns, fold: execution.fold };
  const options: GraphOptions = { expanded, ...drawn };
  for (const uid of [...uids].sort((a, b) => a.length - b.length)) {
    const node = flowGraph(flow, options).nodes.find((candidate) => candidate.uid === uid);
    const written = node?.task && (execution ? shownTarget(node.task) : subflowTarget(node.task));
    if (!written) throw new AppError('illegal-argument', `"${uid}" is not a subflow that can be expanded`);
    // The variables of an execution do not apply to the tasks of a flow that it calls.
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
 * The graph of an execution holds its tasks without their properties, but with the flows that they call.
 * `as`: the engine wrote this value, so it has this shape.
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
