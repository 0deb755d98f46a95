export { useSubflowGraph } from './useSubflowGraph.ts';
