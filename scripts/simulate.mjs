import { refuseOldNode } from './setup/nodeVersion.mjs';

// Parsed by whatever Node there is: nothing newer than `import()` may stand in this file.
refuseOldNode();
void import('./setup/startSimulation.mjs').then((module) => module.startSimulation(process.argv.slice(2)));
