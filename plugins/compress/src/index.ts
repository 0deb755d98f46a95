import { type Family, lineIcon } from '@millrace/plugin-kit';
import { archiveCompress, archiveDecompress } from './archiveTypes.ts';
import { fileCompress, fileDecompress } from './compressTypes.ts';
import { fileDecrypt, fileEncrypt } from './cryptTypes.ts';

/** Compression, archives and encryption of files. */
export const compressFamily: Family = {
  name: 'compress',
  groups: [
    {
      group: 'compress',
      title: 'Compression',
      description: 'Compress, archive and encrypt files.',
      icon: lineIcon('M5 3h14v18H5z', 'M12 3v3', 'M12 8v2', 'M10 13h4v5h-4z'),
      categories: ['DATA'],
    },
  ],
  types: [archiveCompress, archiveDecompress, fileCompress, fileDecompress, fileEncrypt, fileDecrypt],
};
