import type { Definition, Family, Group } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';
import { ftp, ftps } from './ftp.ts';
import { localTasks } from './local/localTasks.ts';
import { localTrigger } from './local/localTrigger.ts';
import { nfsTypes } from './local/nfs.ts';
import { defineDelete, defineMove } from './remote/change.ts';
import { defineDownload, defineDownloads } from './remote/download.ts';
import { defineList } from './remote/list.ts';
import type { Protocol } from './remote/protocol.ts';
import { defineFileTrigger } from './remote/trigger.ts';
import { defineUpload, defineUploads } from './remote/upload.ts';
import { sftp } from './sftp.ts';
import { smb } from './smb.ts';
import { tcpTypes } from './socket/tcp.ts';
import { udpTypes } from './socket/udp.ts';
import { sshCommand } from './sshCommand.ts';

const typesOf = (protocol: Protocol): readonly Definition[] => [
  defineUpload(protocol),
  defineUploads(protocol),
  defineDownload(protocol),
  defineDownloads(protocol),
  defineList(protocol),
  defineMove(protocol),
  defineDelete(protocol),
  defineFileTrigger(protocol),
];

const folder = 'M3 7h6l2 2h10v10H3z';
const group = (name: string, title: string, description: string, ...paths: string[]): Group => ({
  group: `fs.${name}`,
  title,
  description,
  icon: lineIcon(...paths),
  categories: ['STORAGE'],
});

/** Files on other servers and on the worker, commands over SSH, and plain sockets. */
export const fsFamily: Family = {
  name: 'fs',
  groups: [
    {
      group: 'fs',
      title: 'File systems',
      description: 'Files on other servers and on the worker, commands over SSH, and plain sockets.',
      icon: lineIcon(folder, 'M3 12h18'),
      categories: ['STORAGE'],
    },
    group(
      'sftp',
      'SFTP',
      'Files on SFTP servers.',
      folder,
      'M12 12v4',
      'M10.500 14.500l1.500 1.500 1.500-1.500',
    ),
    group('ftp', 'FTP', 'Files on FTP servers.', folder, 'M9 14h6', 'M13 12l2 2-2 2'),
    group(
      'ftps',
      'FTPS',
      'Files on FTP servers with TLS.',
      folder,
      'M10 13h4v4h-4z',
      'M11 13v-1a1 1 0 0 1 2 0v1',
    ),
    group('smb', 'SMB', 'Files on Windows shares and Samba servers.', folder, 'M8 16v-3h8v3', 'M12 13v-2'),
    group('local', 'Local files', 'Files of the worker.', folder, 'M7 15h2'),
    group('nfs', 'NFS', 'Files of mounted NFS shares.', folder, 'M12 12a2 2 0 1 0 0 4 2 2 0 0 0 0-4'),
    group('ssh', 'SSH', 'Commands on other servers.', 'M3 5h18v14H3z', 'M7 10l3 2-3 2', 'M12 15h5'),
    group('tcp', 'TCP', 'Plain TCP connections.', 'M4 12h16', 'M8 8l-4 4 4 4', 'M16 8l4 4-4 4'),
    group('udp', 'UDP', 'UDP datagrams.', 'M4 12h3', 'M10 12h3', 'M16 12h4', 'M16 8l4 4-4 4'),
  ],
  types: [
    ...[sftp, ftp, ftps, smb].flatMap(typesOf),
    ...localTasks,
    localTrigger,
    ...nfsTypes,
    sshCommand,
    ...tcpTypes,
    ...udpTypes,
  ],
};
