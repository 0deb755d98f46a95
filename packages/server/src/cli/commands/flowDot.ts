import type { FlowGraph, GraphNode } from '@millrace/contract';
import { readFlowSources } from '../client/sourceFiles.ts';
import { CommandFailure, defineCommand, exitCodes } from '../command.ts';

export const flowDot = defineCommand({
  name: 'flow dot',
  summary: 'Draw the topology of a flow for Graphviz',
  usage: 'FILE',
  positionals: { min: 1, max: 1 },
  options: {},
  details: 'millrace flow dot flow.yml | dot -Tsvg > flow.svg',
  run: async ({ positionals }, { out }) => {
    const [source] = await readFlowSources(positionals);
    const [{ describeErrors, flowGraph, parseFlow }, { openProductCatalogue }] = await Promise.all([
      import('@millrace/engine'),
      import('../../plugins/productFamilies.ts'),
    ]);
    const { flow, issues } = parseFlow(source?.text ?? '', await openProductCatalogue());
    const problem = describeErrors(issues);
    if (!flow || problem !== undefined) {
      throw new CommandFailure(`${source?.origin} is not a valid flow: ${problem ?? 'there is no flow'}`);
    }
    out.write(writeDot(`${flow.namespace}.${flow.id}`, flowGraph(flow)));
    return exitCodes.done;
  },
});

function writeDot(name: string, { nodes, edges }: FlowGraph): string {
  const lines = [
    ...nodes.map((node) => `  ${quote(node.uid)} [${looksOf(node)}];`),
    ...edges.map(({ source, target, relation }) => {
      const label = relation.value === undefined ? '' : ` [label=${quote(relation.value)}]`;
      return `  ${quote(source)} -> ${quote(target)}${label};`;
    }),
  ];
  return `digraph ${quote(name)} {\n  rankdir=LR;\n${lines.join('\n')}\n}\n`;
}

function looksOf({ task, triggerDeclaration, type }: GraphNode): string {
  if (triggerDeclaration) return `shape=cds, label=${quote(triggerDeclaration.id)}`;
  if (task && !type.startsWith('GraphCluster')) return `shape=box, label=${quote(task.id)}`;
  return 'shape=point, label=""';
}

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`;
