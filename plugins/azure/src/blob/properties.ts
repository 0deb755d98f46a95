import type { Issue } from '@millrace/contract';
import { choice, flag, integer, type Properties, part, text } from '@millrace/plugin-kit';

export const containerProperty = () => text().describe('The container.');

export const listProperties = {
  prefix: text().optional().describe('Only blobs whose name starts with this text.'),
  regexp: text().optional().describe('Only blobs whose whole name matches this regular expression.'),
  delimiter: text()
    .optional()
    .describe('Usually `/`: blobs below are shown as one folder, a name that ends with the delimiter.'),
  filter: choice(['FILES', 'DIRECTORY', 'BOTH'])
    .default('FILES')
    .describe('Files, folders (names that end with `/`) or both.'),
};

export const placeProperty = () =>
  part({ container: text().describe('The container.'), name: text().describe('The name.') });

export const actionProperty = () =>
  choice(['MOVE', 'DELETE', 'NONE']).describe('What happens to the blobs after they are stored.');

export const moveToProperty = () =>
  part({
    container: text().describe('The container.'),
    name: text().describe('The folder: a blob keeps its last name below it.'),
  })
    .optional()
    .describe('Where `MOVE` puts the blobs.');

export function moveIssue({ action, moveTo }: Properties): readonly Issue[] {
  if (action !== 'MOVE' || moveTo !== undefined) return [];
  return [{ severity: 'error', path: 'moveTo', message: 'must be given when "action" is MOVE' }];
}

export const checksumProperties = {
  validateChecksum: flag()
    .optional()
    .describe('Fail when the content does not have the checksum that Azure keeps.'),
  failOnMissingChecksum: flag().optional().describe('Fail too when Azure keeps none.'),
};

export const expectedChecksumProperties = {
  expectedChecksum: text()
    .optional()
    .describe('The checksum that the content must have, in hexadecimal digits or base64.'),
  checksumAlgorithm: choice(['MD5', 'SHA_256'])
    .optional()
    .describe('How `expectedChecksum` is computed; MD5 when absent.'),
};

export const maxFiles = integer({ min: 1 })
  .default(25)
  .describe('How many blobs at most; the others are left for the next time.');
