import { shortType } from '@millrace/engine';

/** Kestra types that Millrace omits on purpose, with their replacements. */
const replacements: ReadonlyMap<string, string> = new Map([
  ['core.flow.Approval', 'use core.flow.Pause with "onResume" to wait for an approval'],
  ['aws.cloudwatch.CloudWatchLogs', 'use aws.cloudwatch.LogExporter to send logs'],
  ['matrix.MatrixTask', 'use core.http.Request with the client API of Matrix'],
  ['figma.FigmaTask', 'use core.http.Request with the REST API of Figma'],
]);

/** The replacement for a type that is left out; undefined for any other type. */
export const insteadOf = (type: string): string | undefined => replacements.get(shortType(type));
