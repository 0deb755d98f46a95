import { type Group, lineIcon } from '@millrace/plugin-kit';

export const emailGroups: readonly Group[] = [
  {
    group: 'email',
    title: 'Mail',
    description: 'Send mails and reports, and start flows when mails arrive.',
    icon: lineIcon('M3 6h18v12H3z', 'M3 7l9 7 9-7'),
    categories: ['MESSAGING'],
  },
];
