export { DefaultDashboard } from './DefaultDashboard.tsx';
