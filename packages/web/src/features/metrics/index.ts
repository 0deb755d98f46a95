export { FlowMetrics } from './FlowMetrics.tsx';
