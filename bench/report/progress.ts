/** Logs progress with the elapsed time to stderr, because stdout contains only the result table. */
export function createProgress(): (text: string) => void {
  const startedAt = Date.now();
  return (text) => {
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`);
  };
}
