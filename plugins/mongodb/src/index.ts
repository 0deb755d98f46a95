import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { findTypes } from './find.ts';
import { writeTypes } from './write.ts';

/** Documents in MongoDB. */
export const mongodbFamily: Family = {
  name: 'mongodb',
  groups: [
    {
      group: 'mongodb',
      title: 'MongoDB',
      description: 'Find and change documents in MongoDB.',
      icon: lineIcon('M12 3c5 5 5 11 0 16-5-5-5-11 0-16', 'M12 9v12'),
      categories: ['DATABASE'],
    },
  ],
  types: [...findTypes, ...writeTypes],
};
