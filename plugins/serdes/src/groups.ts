import { type Group, lineIcon } from '@millrace/plugin-kit';

const page = 'M6 3h8l4 4v14H6z';

const format = (name: string, title: string, description: string, ...paths: string[]): Group => ({
  group: `serdes.${name}`,
  title,
  description,
  icon: lineIcon(page, ...paths),
  categories: ['DATA'],
});

export const serdesGroups: readonly Group[] = [
  {
    group: 'serdes',
    title: 'File formats',
    description: 'Turn files into rows and rows into files.',
    icon: lineIcon(page, 'M9 12h6', 'M13 10l2 2-2 2', 'M15 17H9', 'M11 15l-2 2 2 2'),
    categories: ['DATA'],
  },
  format('csv', 'CSV', 'Read and write CSV.', 'M9 11h6', 'M9 14h6', 'M9 17h6', 'M12 11v6'),
  format(
    'json',
    'JSON',
    'Read and write JSON, JSON lines and TOON.',
    'M11 11c-2 0-1 3-2 3 1 0 0 3 2 3',
    'M13 11c2 0 1 3 2 3-1 0 0 3-2 3',
  ),
  format('xml', 'XML', 'Read and write XML.', 'M10 12l-2 2 2 2', 'M14 12l2 2-2 2'),
  format('yaml', 'YAML', 'Read and write YAML.', 'M9 12h2', 'M11 15h4', 'M11 18h4'),
  format('avro', 'Avro', 'Read and write Avro.', 'M9 17l3-6 3 6', 'M10 15h4'),
  format('parquet', 'Parquet', 'Read and write Parquet.', 'M9 11h2v6H9z', 'M13 11h2v6h-2z'),
  format('excel', 'Excel', 'Read and write workbooks of Excel.', 'M9 11l6 6', 'M15 11l-6 6'),
  format('protobuf', 'Protocol Buffers', 'Read messages of Protocol Buffers.', 'M9 11h6v3H9z', 'M9 14v3h3'),
  format('markdown', 'Markdown', 'Convert Markdown and HTML.', 'M9 16v-4l3 3 3-3v4'),
];
