/** Bounds on one document. A flow with ten thousand tasks fits; a bomb is refused before it costs anything. */
export const limits = {
  maxCharacters: 2_000_000,
  /** Lexical tokens; the slow reader spends about two microseconds on each. */
  maxTokens: 400_000,
  /** Levels of maps and lists in each other; a nested task takes two. */
  maxDepth: 300,
  /** Values after every alias and merge key has been followed. */
  maxValues: 1_000_000,
} as const;
