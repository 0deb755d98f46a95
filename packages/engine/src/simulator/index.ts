export { type Outcome, roughWorld, simulate } from './simulate.ts';
export type { World } from './simulated.ts';
