export { useGraphEditing } from './useGraphEditing.tsx';
