#!/usr/bin/env node
import { refuseOldNode } from './setup/nodeVersion.mjs';

// Parsed by whatever Node there is: nothing newer than `import()` may stand in this file.
refuseOldNode();
void import('./setup/startProduct.mjs').then((module) => module.startProduct(process.argv.slice(2)));
