import { type Command, defineCommand, exitCodes, UsageError } from '../command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** Scripts that complete commands and options; made from the table, so that they never lag behind it. */
export const completionOf = (commands: () => readonly Command[]): Command =>
  defineCommand({
    name: 'completion',
    summary: 'Print the script that completes commands in a shell',
    usage: shells.join('|'),
    positionals: { min: 1, max: 1 },
    options: {},
    details: [
      'bash: millrace completion bash > ~/.local/share/bash-completion/completions/millrace',
      'zsh:  millrace completion zsh > _millrace, in a folder of $fpath',
      'fish: millrace completion fish > ~/.config/fish/completions/millrace.fish',
    ].join('\n'),
    run: async ({ positionals: [shell = ''] }, { out }) => {
      const write = { bash: writeBash, zsh: writeZsh, fish: writeFish }[shell];
      if (!write)
        throw new UsageError(`"${shell}" is not a known shell; expected one of ${shells.join(', ')}.`);
      out.write(write(commands()));
      return exitCodes.done;
    },
  });

/** Words typed so far → possible next words. */
function nextWords(commands: readonly Command[]): Map<string, string[]> {
  const next = new Map<string, Set<string>>();
  const add = (before: string, word: string) => {
    const known = next.get(before) ?? new Set();
    next.set(before, known.add(word));
  };
  for (const { name, options } of commands) {
    const words = name.split(' ');
    for (const [at, word] of words.entries()) add(words.slice(0, at).join(' '), word);
    for (const option of [...Object.keys(options), 'help']) add(name, `--${option}`);
  }
  return new Map([...next].map(([before, words]) => [before, [...words]]));
}

function writeBash(commands: readonly Command[]): string {
  const cases = [...nextWords(commands)].map(
    ([before, words]) => `    ${JSON.stringify(before)}) words=${JSON.stringify(words.join(' '))} ;;`,
  );
  return `_millrace() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed="" words="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in -*) continue ;; esac
    case "\${typed:+$typed }$word" in
${[...nextWords(commands).keys()]
  .filter((before) => before !== '')
  .map((before) => `      ${JSON.stringify(before)}) typed=${JSON.stringify(before)} ;;`)
  .join('\n')}
    esac
  done
  case "$typed" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _millrace millrace
`;
}

/** zsh can run bash completions through `bashcompinit`. */
const writeZsh = (commands: readonly Command[]): string =>
  `#compdef millrace\nautoload -U +X bashcompinit && bashcompinit\n${writeBash(commands)}`;

function writeFish(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const lines = commands.flatMap(({ name, summary, options }) => {
    const words = name.split(' ');
    const last = words.at(-1) ?? '';
    const before = words.slice(0, -1);
    const when = before.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const condition = before.length === 0 ? '__fish_use_subcommand' : when;
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    return [
      ...(before.length === 0 ? [] : [`complete -c millrace -n __fish_use_subcommand -f -a ${before[0]}`]),
      `complete -c millrace -n ${quote(condition)} -f -a ${last} -d ${quote(summary)}`,
      ...Object.entries(options).map(
        ([option, { help, short, type }]) =>
          `complete -c millrace -n ${quote(seen)} -l ${option}${short ? ` -s ${short}` : ''}${type === 'string' ? ' -r' : ''} -d ${quote(help)}`,
      ),
    ];
  });
  return `${[...new Set(lines)].join('\n')}\n`;
}
