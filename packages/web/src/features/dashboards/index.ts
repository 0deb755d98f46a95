export { DefaultDashboard } from './components/DefaultDashboard.tsx';
