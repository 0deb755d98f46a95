import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useCompileCache } from './compileCache.ts';
import { leaveOutMemoryReducer, limitHeaps } from './memoryReducer.ts';

// Runs before anything else is loaded. Development tools load the sources and have their own caches.
leaveOutMemoryReducer();
limitHeaps();
const file = fileURLToPath(import.meta.url);
if (file.endsWith('.js')) useCompileCache(dirname(file));
void import('./cli/main.ts').then(({ main }) => main());
