import { type Group, lineIcon } from '@millrace/plugin-kit';

const cylinder = [
  'M5 6c0-1.700 3-3 7-3s7 1.300 7 3-3 3-7 3-7-1.300-7-3z',
  'M5 6v12c0 1.700 3 3 7 3s7-1.300 7-3V6',
];

const database = (name: string, title: string, ...paths: string[]): Group => ({
  group: `jdbc.${name}`,
  title,
  description: `Query and load ${title}.`,
  icon: lineIcon(...cylinder, ...paths),
  categories: ['DATABASE'],
});

export const jdbcGroups: readonly Group[] = [
  {
    group: 'jdbc',
    title: 'Databases',
    description: 'Query and load SQL databases.',
    icon: lineIcon(...cylinder, 'M5 12c0 1.700 3 3 7 3s7-1.300 7-3'),
    categories: ['DATABASE'],
  },
  database('postgresql', 'PostgreSQL', 'M10 18v-6h3a1.500 1.500 0 0 1 0 3h-3'),
  database('duckdb', 'DuckDB', 'M9 13h3a2 2 0 0 1 0 4H9z', 'M16 15h1'),
  database('mysql', 'MySQL', 'M9 17v-4l3 3 3-3v4'),
  database('mariadb', 'MariaDB', 'M8 17l2-4 2 4 2-4 2 4'),
  database('sqlite', 'SQLite', 'M12 12v6', 'M9 15l3-3 3 3'),
];
