export { DependencyGraph } from './DependencyGraph.tsx';
