import { refuseUnsupportedNode } from './setup/nodeVersion.mjs';

// Any installed Node version must parse this file: no syntax newer than `import()`.
refuseUnsupportedNode();
void import('./setup/startFaults.mjs').then((module) => module.startFaults(process.argv.slice(2)));
