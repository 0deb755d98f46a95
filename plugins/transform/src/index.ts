import { type Family, lineIcon } from '@millrace/plugin-kit';
import { grokItems, grokValue } from './grok/grokTypes.ts';
import { jsonataItems, jsonataValue } from './jsonata/jsonataTypes.ts';
import { aggregateRecords } from './records/aggregate.ts';
import { filterRecords } from './records/filter.ts';
import { mapRecords } from './records/map.ts';
import { selectRecords } from './records/select.ts';
import { unnestRecords } from './records/unnest.ts';
import { zipRecords } from './records/zip.ts';

/** Tasks that change values and records. */
export const transformFamily: Family = {
  name: 'transform',
  groups: [
    {
      group: 'transform',
      title: 'Transformation',
      description: 'Change, filter, group and join records.',
      icon: lineIcon('M4 7h9', 'M10 4l3 3-3 3', 'M20 17h-9', 'M14 14l-3 3 3 3'),
      categories: ['DATA'],
    },
    {
      group: 'transform.jsonata',
      title: 'JSONata',
      description: 'Transform JSON with JSONata.',
      icon: lineIcon('M8 5c-3 0-1 7-4 7 3 0 1 7 4 7', 'M16 5c3 0 1 7 4 7-3 0-1 7-4 7', 'M10 12h4'),
      categories: ['DATA'],
    },
    {
      group: 'transform.grok',
      title: 'Grok',
      description: 'Read texts such as log lines with grok patterns.',
      icon: lineIcon(
        'M4 7h16',
        'M4 12h6',
        'M4 17h4',
        'M15 15m-4 0a4 4 0 1 0 8 0 4 4 0 1 0-8 0',
        'M18 18l3 3',
      ),
      categories: ['DATA'],
    },
  ],
  types: [
    mapRecords,
    filterRecords,
    aggregateRecords,
    unnestRecords,
    selectRecords,
    zipRecords,
    jsonataValue,
    jsonataItems,
    grokValue,
    grokItems,
  ],
};
