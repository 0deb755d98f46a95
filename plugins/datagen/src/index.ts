import { type Family, lineIcon } from '@millrace/plugin-kit';
import { generate, generateRealtime, generateTrigger } from './generate.ts';
import { pseudonymize } from './pseudonymize.ts';

/** Generated data for tests and demonstrations. */
export const datagenFamily: Family = {
  name: 'datagen',
  groups: [
    {
      group: 'datagen',
      title: 'Test data',
      description: 'Generate test data and pseudonymize personal data.',
      icon: lineIcon('M5 5h14v14H5z', 'M9 9h.1', 'M15 9h.1', 'M12 12h.1', 'M9 15h.1', 'M15 15h.1'),
      categories: ['DATA'],
    },
  ],
  types: [generate, generateTrigger, generateRealtime, pseudonymize],
};
