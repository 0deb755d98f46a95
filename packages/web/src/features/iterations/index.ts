export {
  countStates,
  type FoldedRuns,
  foldedLoops,
  foldRuns,
  type Iteration,
  type Loop,
  type OpenIterations,
  type StateCounts,
} from './foldRuns.ts';
export { IterationBar } from './IterationBar.tsx';
export { IterationList } from './IterationList.tsx';
export {
  hasOutputs,
  type OutputRow,
  orderRuns,
  outputRows,
  parentIndex,
  pathTo,
  type RunRow,
} from './runTree.ts';
export { StateCountChips } from './StateCountChips.tsx';
export { type Iterations, useIterations } from './useIterations.ts';
