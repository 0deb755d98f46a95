export { Gantt } from './Gantt.tsx';
