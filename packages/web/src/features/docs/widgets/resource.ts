import { provider } from '@millrace/contract';
import { urlOf } from '../../../api/call.ts';

/** The address of a file that belongs to the documentation of a version. */
export const resourceUrl = (version: string, file: string): string =>
  urlOf(provider.getDocResource, { params: { file, version } });
