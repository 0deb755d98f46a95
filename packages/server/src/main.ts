import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useCompileCache } from './compileCache.ts';
import { leaveOutMemoryReducer } from './memoryReducer.ts';

// Runs before anything else is loaded. Development tools load the sources and have their own caches.
leaveOutMemoryReducer();
const file = fileURLToPath(import.meta.url);
if (file.endsWith('.js')) useCompileCache(dirname(file));
void import('./cli/main.ts').then(({ main }) => main());
