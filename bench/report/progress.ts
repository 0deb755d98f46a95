/** Says what is going on, with the time since the beginning, on the error stream: the table alone is the result. */
export function createProgress(): (text: string) => void {
  const startedAt = Date.now();
  return (text) => {
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`);
  };
}
