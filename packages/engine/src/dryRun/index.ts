export { dryRun } from './dryRun.ts';
export { generateInput, generateOutputs, mockValue } from './generate.ts';
export type * from './types.ts';
