export { FlowGridView } from './FlowGridView.tsx';
