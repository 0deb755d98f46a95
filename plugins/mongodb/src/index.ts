import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { documentdbTypes } from './documentdb.ts';
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
    {
      group: 'documentdb',
      title: 'DocumentDB',
      description: 'Read and change documents in DocumentDB.',
      icon: lineIcon('M6 4h9l3 3v13H6z', 'M9 11h6', 'M9 15h6'),
      categories: ['DATABASE'],
    },
  ],
  types: [...findTypes, ...writeTypes, ...documentdbTypes],
};
