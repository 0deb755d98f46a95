import type { Family } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { changeTasks } from './changes.ts';
import { search } from './search.ts';
import { translations } from './translate.ts';

/** Entries of LDAP directories. */
export const ldapFamily: Family = {
  name: 'ldap',
  groups: [
    {
      group: 'ldap',
      title: 'LDAP',
      description: 'Search and change entries of LDAP directories.',
      icon: lineIcon(
        'M10 3h4v4h-4z',
        'M3 17h4v4H3z',
        'M10 17h4v4h-4z',
        'M17 17h4v4h-4z',
        'M12 7v10',
        'M5 17v-5h14v5',
      ),
      categories: ['DATABASE'],
    },
  ],
  types: [search, ...changeTasks, ...translations],
};
