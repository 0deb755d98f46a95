import { z } from 'zod';
import { TaskRun } from './execution.ts';
import { Task, TriggerDefinition } from './flow.ts';

export const BranchType = z.enum(['ERROR', 'FINALLY', 'AFTER_EXECUTION']);
export const RelationType = z.enum([
  'SEQUENTIAL',
  'CHOICE',
  'ERROR',
  'FINALLY',
  'AFTER_EXECUTION',
  'PARALLEL',
  'DYNAMIC',
]);
export type BranchType = z.infer<typeof BranchType>;
export type RelationType = z.infer<typeof RelationType>;

export const graphNodeTypes = [
  'GraphTask',
  'SubflowGraphTask',
  'GraphTrigger',
  'GraphClusterRoot',
  'GraphClusterFinally',
  'GraphClusterAfterExecution',
  'GraphClusterEnd',
] as const;

export const GraphNode = z.object({
  uid: z.string(),
  type: z.enum(graphNodeTypes),
  branchType: BranchType.optional(),
  task: Task.optional(),
  /** The task run of the node, also where `taskRun` is left out because the client has it. */
  taskRunId: z.string().optional(),
  taskRun: TaskRun.optional(),
  values: z.array(z.string()).optional(),
  relationType: RelationType.optional(),
  triggerDeclaration: TriggerDefinition.optional(),
});
export type GraphNode = z.infer<typeof GraphNode>;

export const GraphEdge = z.object({
  source: z.string(),
  target: z.string(),
  relation: z.object({ relationType: RelationType.optional(), value: z.string().optional() }),
});
export type GraphEdge = z.infer<typeof GraphEdge>;

export const GraphCluster = z.object({
  cluster: z.object({
    uid: z.string(),
    type: z.enum(['GraphCluster', 'SubflowGraphCluster']),
    branchType: BranchType.optional(),
    relationType: RelationType.optional(),
    taskNode: GraphNode.optional(),
  }),
  nodes: z.array(z.string()),
  parents: z.array(z.string()),
  start: z.string(),
  end: z.string(),
});
export type GraphCluster = z.infer<typeof GraphCluster>;

export const FlowGraph = z.object({
  nodes: z.array(GraphNode),
  edges: z.array(GraphEdge),
  clusters: z.array(GraphCluster),
  flowables: z.array(z.string()).optional(),
});
export type FlowGraph = z.infer<typeof FlowGraph>;
