/** Where a frame lies: a path or an address of a file, of which the last part and the position are kept. */
const place = /(?<=[ (])(?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^()\n]*[\\/]([^\\/()\n]+:\d+:\d+)/;

/** The stack of an error for a log that users read: without the folders of the server. */
export function stackOf(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .map((line) => (/^\s+at /.test(line) ? line.replace(place, '$1') : line))
    .join('\n');
}
