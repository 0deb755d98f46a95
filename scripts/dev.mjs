import { refuseOldNode } from './setup/nodeVersion.mjs';

// Parsed by whatever Node there is: nothing newer than `import()` may stand in this file.
refuseOldNode();
void import('./dev/develop.mjs').then((module) => module.develop(process.argv.slice(2)));
