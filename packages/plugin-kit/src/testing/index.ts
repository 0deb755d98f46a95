export { type MariadbServer, startMariadb } from './mariadbServer.ts';
export { matches } from './matchSchema.ts';
export { ownNames } from './ownNames.ts';
export {
  freePort,
  type RunningServer,
  type ServerPlace,
  type ServerProgram,
  startRealServer,
} from './realServer.ts';
export { realNetwork, realProcesses } from './realWorld.ts';
export { runFamily, storedRows } from './runFamily.ts';
export { runType } from './runType.ts';
export { aSilentServer } from './silentServer.ts';
export { type SshServer, startSshServer } from './sshServer.ts';
export { producedForStalledStorage } from './stalledStorage.ts';
export { aTaskContext, type TestContext, testRun } from './testContext.ts';
