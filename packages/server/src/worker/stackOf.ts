/** The location of a stack frame: a path or file URL, of which the file name and the position are kept. */
const place = /(?<=[ (])(?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^()\n]*[\\/]([^\\/()\n]+:\d+:\d+)/;

/** The stack of an error for a log that users read: without the folders of the server. */
export function stackOf(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .map((line) => (/^\s+at /.test(line) ? line.replace(place, '$1') : line))
    .join('\n');
}
