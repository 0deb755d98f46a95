import { TaskFailed } from '@millrace/plugin-kit';

/** Settings that cannot start a program or change where Git connects. */
const allowed = [
  /^(user|author|committer)\.(name|email)$/,
  /^core\.(autocrlf|eol|filemode|ignorecase|symlinks|longpaths|quotepath|safecrlf|compression|bigfilethreshold|precomposeunicode|looseCompression|protecthfs|protectntfs)$/,
  /^http\.(.+\.)?(postbuffer|version|sslverify|lowspeedlimit|lowspeedtime|extraheader|useragent|maxrequests|minsessions|followredirects|sslversion)$/,
  /^(fetch|pull|push|pack|gc|transfer|index|checkout|advice|color|init|status|feature)\.[\w.-]+$/,
  /^diff\.(renames|renamelimit|algorithm)$/,
  /^lfs\.(concurrenttransfers|fetchinclude|fetchexclude|skipdownloaderrors|activitytimeout|dialtimeout)$/,
  /^submodule\.(recurse|fetchjobs)$/,
];

/** The settings of `gitConfig` as pairs; null and empty values unset one. */
export function readGitConfig(
  settings: Readonly<Record<string, unknown>> = {},
): readonly (readonly [string, string | undefined])[] {
  return Object.entries(settings).map(([name, value]) => {
    if (!allowed.some((pattern) => pattern.test(name.toLowerCase()))) {
      throw new TaskFailed(
        `The Git setting "${name}" is not allowed: it is unknown, or could run a program.`,
        { retry: false },
      );
    }
    const text = value === null || value === undefined ? '' : String(value);
    return [name, text === '' ? undefined : text] as const;
  });
}
