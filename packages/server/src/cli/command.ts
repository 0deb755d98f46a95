/** One option of a command line, with its help text. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** May be given several times. */
  readonly multiple?: true;
  /** The placeholder for the value in the help: `FILE`. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly help: string;
}
export type Options = Readonly<Record<string, Option>>;

type ValueOf<O> = O extends { multiple: true }
  ? string[]
  : O extends { type: 'boolean' }
    ? boolean
    : O extends { choices: readonly (infer Choice)[] }
      ? Choice
      : string;
export type Values<O> = { readonly [K in keyof O]?: ValueOf<O[K]> };

/** The world around a command, so that tests can be it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: Output;
  readonly err: Output;
}

export interface Output {
  write(text: string): void;
  /** A person is watching: progress may be drawn. */
  readonly isTerminal: boolean;
}

/** The exit codes of commands, for scripts and continuous integration. */
export const exitCodes = { done: 0, failed: 1, misused: 2 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** One command. `name` is the text that users type: `flow validate`. */
export interface Command {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** The arguments as the help shows them: `NAMESPACE ID`. */
  readonly usage: string;
  /** Arguments that must be given, and how many may be. */
  readonly positionals: { readonly min: number; readonly max: number };
  readonly options: Options;
  /** More help, below the options. */
  readonly details?: string;
  /**
   * Returns the exit code; undefined keeps the process running, as for a server. Heavy modules are imported
   * inside, so that a command does not load the code of the others.
   */
  run(
    given: { readonly values: Values<Options>; readonly positionals: readonly string[] },
    surroundings: Surroundings,
  ): Promise<ExitCode | undefined>;
}

interface Definition<O extends Options> extends Omit<Command, 'run' | 'options' | 'usage' | 'positionals'> {
  readonly usage?: string;
  readonly positionals?: Command['positionals'];
  readonly options: O;
  run(
    given: { readonly values: Values<O>; readonly positionals: readonly string[] },
    surroundings: Surroundings,
  ): Promise<ExitCode | undefined>;
}

/** Fills in what most commands share and gives `run` the types of its options. */
export function defineCommand<const O extends Options>(definition: Definition<O>): Command {
  return {
    usage: '',
    positionals: { min: 0, max: 0 },
    ...definition,
    // The parser returns only values of declared options.
    run: (given, surroundings) => definition.run(given as never, surroundings),
  };
}

/** The command could not do its work; the message is a sentence for the user. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
}

/** A command line that cannot be understood; the message is a sentence for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
