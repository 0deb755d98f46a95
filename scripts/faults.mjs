import { refuseOldNode } from './setup/nodeVersion.mjs';

// Any installed Node version must parse this file: no syntax newer than `import()`.
refuseOldNode();
void import('./setup/startFaults.mjs').then((module) => module.startFaults(process.argv.slice(2)));
