import { refuseOldNode } from './setup/nodeVersion.mjs';

// Parsed by whatever Node there is: nothing newer than `import()` may stand in this file.
refuseOldNode();
void import('./test/testAll.mjs').then((module) => module.testAll(process.argv.slice(2)));
