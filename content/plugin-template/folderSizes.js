import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Data for charts: rows by their fields. Columns, filters, groups and order are seen to. */
export const folderSizes = ({ defineDataFilter, z, text, fixed }) =>
  defineDataFilter({
    type: 'acme.FolderSizes',
    title: 'Files of a folder',
    description: 'One row per file: `NAME`, `SIZE` in bytes and `CHANGED`.',
    fields: ['NAME', 'SIZE', 'CHANGED'],
    dates: ['CHANGED'],
    input: z.object({ folder: fixed(text()).describe('The folder.') }),
    examples: [
      {
        title: 'The largest files.',
        runs: false,
        code: `title: Disk
charts:
  - id: largest
    type: core.dashboard.chart.Table
    data:
      type: acme.FolderSizes
      folder: /srv/data
      columns:
        name:
          field: NAME
        bytes:
          field: SIZE
      orderBy:
        - column: bytes
          order: DESC
`,
      },
    ],
    async *rows(context, { folder }) {
      for (const name of await readdir(folder)) {
        context.signal.throwIfAborted();
        const found = await stat(join(folder, name));
        // Dates are `Date`s: that makes them the axis of a time series.
        if (found.isFile()) yield { NAME: name, SIZE: found.size, CHANGED: found.mtime };
      }
    },
  });
