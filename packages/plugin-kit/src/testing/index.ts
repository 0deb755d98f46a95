export { matches } from './matchSchema.ts';
export { ownNames } from './ownNames.ts';
export { runType } from './runType.ts';
export { aTaskContext, type TestContext } from './testContext.ts';
