export { useFilterFields } from './useFilterFields.tsx';
