import type { FlowTopology } from '@millrace/contract';
import type { FlowKey } from './queries.ts';

/** The flows that run this one as a subflow or wait for its end: those that miss it when it is gone. */
export function dependentsOf({ nodes, edges }: FlowTopology, { namespace, id }: FlowKey) {
  const own = nodes.find((node) => node.namespace === namespace && node.id === id)?.uid;
  const uids = new Set(
    edges.flatMap(({ source, target, relation }) => {
      if (relation === 'FLOW_TASK' && target === own) return [source];
      return relation === 'FLOW_TRIGGER' && source === own ? [target] : [];
    }),
  );
  return nodes.filter(({ uid }) => uid !== own && uids.has(uid));
}
