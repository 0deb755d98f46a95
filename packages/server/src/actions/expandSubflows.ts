import { AppError, type Flow } from '@millrace/contract';
import { flowGraph, type GraphOptions, subflowTarget } from '@millrace/engine';
import type { FlowCache } from './flowCache.ts';

/** Finds the flows behind the subflow nodes that are to be drawn open, outer ones before the ones inside them. */
export async function expandSubflows(
  flow: Flow,
  uids: readonly string[],
  flows: FlowCache,
  taskRuns?: NonNullable<GraphOptions['taskRuns']>,
): Promise<GraphOptions> {
  const expanded = new Map<string, Flow>();
  const options: GraphOptions = { expanded, ...(taskRuns ? { taskRuns } : {}) };
  for (const uid of [...uids].sort((a, b) => a.length - b.length)) {
    const node = flowGraph(flow, options).nodes.find((candidate) => candidate.uid === uid);
    const target = node?.task && subflowTarget(node.task);
    if (!target) throw new AppError('illegal-argument', `"${uid}" is not a subflow that can be expanded`);
    if (`${target.namespace}${target.flowId}`.includes('{{')) {
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
