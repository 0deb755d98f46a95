import { parseArgs } from 'node:util';
import { type Command, type Options, UsageError, type Values } from './command.ts';

export type CommandLine =
  | { readonly kind: 'version' }
  /** `about` is a command, or the first word of several. */
  | { readonly kind: 'help'; readonly about: string }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly values: Values<Options>;
      readonly positionals: readonly string[];
    };

/** The command of `millrace` without arguments, or with an option first. */
const defaultCommand = 'server';

const commonOptions = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** `flow validate a.yml --local` → the command and its arguments. */
export function readCommandLine(argv: readonly string[], commands: readonly Command[]): CommandLine {
  const words = argv.slice(0, lengthOfWords(argv));
  if (words[0] === 'help') return { kind: 'help', about: words.slice(1).join(' ') };
  const command = findCommand(words.length === 0 ? [defaultCommand] : words, commands);
  if (!command) return explainMissing(words, argv, commands);
  const rest = words.length === 0 ? argv : argv.slice(command.name.split(' ').length);
  const { values, positionals } = parse(rest, command);
  if (values.help === true) return { kind: 'help', about: words.length === 0 ? '' : command.name };
  if (values.version === true) return { kind: 'version' };
  checkChoices(values, command);
  checkPositionals(positionals, command);
  return { kind: 'run', command, values: values as Values<Options>, positionals };
}

function lengthOfWords(argv: readonly string[]): number {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return end < 0 ? argv.length : end;
}

/** The longest name wins: `flow namespace update` before `flow`. */
function findCommand(words: readonly string[], commands: readonly Command[]): Command | undefined {
  for (let length = words.length; length > 0; length--) {
    const name = words.slice(0, length).join(' ');
    const found = commands.find((command) => command.name === name);
    if (found) return found;
  }
  return undefined;
}

function explainMissing(
  words: readonly string[],
  argv: readonly string[],
  commands: readonly Command[],
): CommandLine {
  const group = words[0] ?? '';
  const members = commands.filter((command) => command.name.startsWith(`${group} `));
  if (members.length > 0 && (words.length === 1 || argv.includes('--help') || argv.includes('-h'))) {
    return { kind: 'help', about: group };
  }
  const known = members.length > 0 ? members.map((c) => c.name) : firstWords(commands);
  const typed = words.slice(0, members.length > 0 ? 2 : 1).join(' ');
  throw new UsageError(`"${typed}" is not a command; expected one of ${known.join(', ')}.`);
}

function firstWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map((command) => command.name.split(' ')[0] ?? ''))];
}

function parse(args: readonly string[], { options, name }: Command) {
  const known = Object.fromEntries(
    Object.entries(options).map(([key, { type, short, multiple }]) => [
      key,
      { type, ...(short === undefined ? {} : { short }), ...(multiple ? { multiple } : {}) },
    ]),
  );
  try {
    return parseArgs({
      args: [...args],
      options: { ...commonOptions, ...known },
      allowPositionals: true,
      strict: true,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('. ')[0] : String(cause);
    throw new UsageError(`${reason}. See millrace ${name} --help.`, { cause });
  }
}

function checkChoices(values: Readonly<Record<string, unknown>>, { options }: Command): void {
  for (const [name, { choices }] of Object.entries(options)) {
    const value = values[name];
    if (choices === undefined || value === undefined || choices.includes(String(value))) continue;
    throw new UsageError(`--${name} cannot be "${String(value)}"; expected one of ${choices.join(', ')}.`);
  }
}

function checkPositionals(
  positionals: readonly string[],
  { name, usage, positionals: { min, max } }: Command,
): void {
  if (positionals.length > max) throw new UsageError(`"${positionals[max]}" is one argument too many.`);
  if (positionals.length < min) {
    throw new UsageError(`An argument is missing; expected millrace ${name} ${usage}.`);
  }
}
