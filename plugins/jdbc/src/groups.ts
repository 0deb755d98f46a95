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
  database('clickhouse', 'ClickHouse', 'M9 12v6', 'M12 12v6', 'M15 14v2'),
  database('snowflake', 'Snowflake', 'M12 12v6', 'M9.500 13.500l5 3', 'M14.500 13.500l-5 3'),
  database('sqlserver', 'SQL Server', 'M9 13h6v5H9z', 'M9 15.500h6'),
  database('oracle', 'Oracle', 'M10.500 12.500h3a2.500 2.500 0 0 1 0 5h-3a2.500 2.500 0 0 1 0-5z'),
  database('redshift', 'Redshift', 'M9 14l3-2 3 2v3l-3 2-3-2z'),
  database('trino', 'Trino', 'M9 13h6', 'M12 13v5'),
  database('druid', 'Druid', 'M8 13h5a2.500 2.500 0 0 1 0 5h-2'),
  database('pinot', 'Pinot', 'M10 12h4l-.5 3a1.500 1.500 0 0 1-3 0z', 'M12 16.500v2'),
  database('actianvector', 'Actian Vector', 'M8 17l8-5', 'M13 12h3v3'),
  database('access', 'Microsoft Access', 'M9 18l3-6 3 6', 'M10 16h4'),
  database('arrowflight', 'Arrow Flight SQL', 'M8 15h8', 'M13 12l3 3-3 3'),
  database('as400', 'AS/400', 'M8 13h8', 'M8 17h8'),
  database('db2', 'Db2', 'M9 12v6', 'M12 12h3v3h-3v3h3'),
  database('dremio', 'Dremio', 'M9 16c1-4 5-4 6 0', 'M12 13v-1'),
  database('hana', 'SAP HANA', 'M9 12v6', 'M15 12v6', 'M9 15h6'),
  database('vertica', 'Vertica', 'M9 12l3 6 3-6'),
  database('sybase', 'Sybase ASE', 'M15 13c-5-2-7 2-3 2.500s2 4-3 2'),
];
