export { AuditLogsPlaceholder } from './components/AuditLogsPlaceholder.tsx';
export { Demo } from './components/Demo.tsx';
