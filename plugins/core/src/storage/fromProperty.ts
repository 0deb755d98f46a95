import { storageUri } from '@millrace/plugin-kit';

/** The file that a storage task works on. */
export const fromProperty = () => storageUri().describe('The URI of the file in internal storage.');
