export { CalendarBoard } from './CalendarBoard.tsx';
