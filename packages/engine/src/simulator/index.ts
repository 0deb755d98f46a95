export { type Outcome, roughWorld, simulate, type World } from './simulate.ts';
