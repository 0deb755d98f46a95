import { type Family, type Group, lineIcon } from '@millrace/plugin-kit';
import { calendarTypes } from './calendar/index.ts';
import { driveTypes } from './drive/index.ts';
import { mailTypes } from './mail/index.ts';
import { sheetsTypes } from './sheets/index.ts';

const group = (name: string, title: string, description: string, ...paths: readonly string[]): Group => ({
  group: `googleworkspace.${name}`,
  title,
  description,
  icon: lineIcon(...paths),
  categories: ['BUSINESS'],
});

/** Drive, Sheets, Calendar and Gmail. Google Chat is a part of the notifications. */
export const googleworkspaceFamily: Family = {
  name: 'googleworkspace',
  groups: [
    group(
      'drive',
      'Google Drive',
      'Files and folders of Google Drive.',
      'M9 4h6l6 11-3 5H6l-3-5z',
      'M9 4l6 11H3',
      'M15 4L9 15l3 5',
    ),
    group(
      'sheets',
      'Google Sheets',
      'Rows of Google Sheets.',
      'M5 3h14v18H5z',
      'M5 9h14',
      'M5 15h14',
      'M12 9v12',
    ),
    group(
      'calendar',
      'Google Calendar',
      'Events of Google Calendar.',
      'M4 6h16v14H4z',
      'M4 10h16',
      'M8 3v5',
      'M16 3v5',
      'M9 14h2',
    ),
    group('mail', 'Gmail', 'Mails of Gmail.', 'M3 6h18v13H3z', 'M3 7l9 7 9-7'),
  ],
  types: [...driveTypes, ...sheetsTypes, ...calendarTypes, ...mailTypes],
};
