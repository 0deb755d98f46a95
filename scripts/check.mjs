import { refuseOldNode } from './setup/nodeVersion.mjs';

// Any installed Node version must parse this file: no syntax newer than `import()`.
refuseOldNode();
void import('./check/checkAll.mjs').then((module) => module.checkAndExit());
