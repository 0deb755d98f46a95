import { type Family, lineIcon } from '@millrace/plugin-kit';
import { decryptFile } from './decrypt.ts';
import { encryptFile } from './encrypt.ts';

/** OpenPGP for files. */
export const cryptoFamily: Family = {
  name: 'crypto',
  groups: [
    {
      group: 'crypto.openpgp',
      title: 'OpenPGP',
      description: 'Encrypt, sign, decrypt and verify files with OpenPGP.',
      icon: lineIcon('M6 11h12v9H6z', 'M9 11V8a3 3 0 0 1 6 0v3', 'M12 14v3'),
      categories: ['DATA'],
    },
  ],
  types: [encryptFile, decryptFile],
};
